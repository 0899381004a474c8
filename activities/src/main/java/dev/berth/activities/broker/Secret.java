package dev.berth.activities.broker;

import com.fasterxml.jackson.annotation.JsonCreator;
import java.util.regex.Pattern;

/**
 * What proves to a broker who asks. Prints as nothing and has no property that JSON could write, so
 * that it reaches no log, answer or history by accident. It is not wiped: the text came as a String
 * out of a request, and a copy that is wiped would only pretend that the first one is gone.
 */
public final class Secret {
    /** It travels in an HTTP header. */
    private static final Pattern FORM = Pattern.compile("[\\x21-\\x7e]{1,512}");

    private final String text;

    /**
     * Takes it over.
     *
     * @throws IllegalArgumentException when no broker can have given it out; the message does not
     *     repeat it
     */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public Secret(String text) {
        if (!FORM.matcher(text).matches()) {
            throw new IllegalArgumentException("secret is 1 to 512 printable ASCII characters without spaces.");
        }
        this.text = text;
    }

    /** The text itself. The caller must not log or store it. */
    public String reveal() {
        return text;
    }

    @Override
    public String toString() {
        return "";
    }
}
