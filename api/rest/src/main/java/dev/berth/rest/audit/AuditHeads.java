package dev.berth.rest.audit;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The hash of the last row of each chain; 64 zeros for a chain without rows. As text the two are
 * joined by a colon.
 */
public record AuditHeads(String operators, String users) {
    /** The form of the text. */
    public static final String FORM = "^([0-9a-f]{64}):([0-9a-f]{64})$";

    private static final Pattern TEXT = Pattern.compile(FORM);

    /**
     * Reads the text.
     *
     * @throws IllegalArgumentException for a text of another form
     */
    public static AuditHeads parse(String text) {
        Matcher heads = TEXT.matcher(text);
        if (!heads.matches()) {
            throw new IllegalArgumentException(
                    "A head of the audit is two hashes of 64 hexadecimal digits in lower case, joined by a colon.");
        }
        return new AuditHeads(heads.group(1), heads.group(2));
    }

    String of(AuditChain chain) {
        return switch (chain) {
            case OPERATORS -> operators;
            case USERS -> users;
        };
    }

    @Override
    public String toString() {
        return operators + ":" + users;
    }
}
