package dev.berth.rest.audit;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which row. As text {@code CHAIN-NUMBER}, for example {@code OPERATORS-17}.
 *
 * @param chain as it is stored, so that a changed row can be named too
 */
public record AuditPosition(String chain, long number) {
    /** The form of the text. */
    public static final String FORM = "^([A-Z]{1,20})-([0-9]{1,18})$";

    private static final Pattern TEXT = Pattern.compile(FORM);

    /**
     * Reads the text.
     *
     * @throws IllegalArgumentException for a text of another form
     */
    public static AuditPosition parse(String text) {
        Matcher position = TEXT.matcher(text);
        if (!position.matches()) {
            throw new IllegalArgumentException("A row of the audit is CHAIN-NUMBER, for example OPERATORS-17.");
        }
        return new AuditPosition(position.group(1), Long.parseLong(position.group(2)));
    }

    @Override
    public String toString() {
        return chain + "-" + number;
    }
}
