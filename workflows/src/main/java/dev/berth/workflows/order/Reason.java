package dev.berth.workflows.order;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.berth.workflows.PlainText;

/**
 * Why an order is in its state: {@code category: code: text}. Category and code are stable, the
 * text is for people.
 */
public record Reason(Category category, String code, String text) {

    /** The longest code or text, in characters: a broker may answer with a page. */
    private static final int MAX_LENGTH = 1_024;

    /** Who has to act on it. */
    public enum Category {
        /** No worker could take the order in time. */
        CAPACITY("capacity"),
        /** The venue refused. */
        BROKER("broker"),
        /** A limit or the kill switch forbade it. */
        RISK("risk"),
        /** A fault of Berth itself. */
        INTERNAL("internal");

        private final String prefix;

        Category(String prefix) {
            this.prefix = prefix;
        }
    }

    /** The venue chooses words of it, and they are shown on terminals. */
    public Reason {
        code = PlainText.line(code, MAX_LENGTH);
        text = PlainText.line(text, MAX_LENGTH);
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static Reason parse(String line) {
        String[] parts = line.split(": ", 3);
        for (Category category : Category.values()) {
            if (category.prefix.equals(parts[0]) && parts.length == 3) {
                return new Reason(category, parts[1], parts[2]);
            }
        }
        return new Reason(Category.INTERNAL, "unreadable-reason", line);
    }

    @Override
    @JsonValue
    public String toString() {
        return category.prefix + ": " + code + ": " + text;
    }
}
