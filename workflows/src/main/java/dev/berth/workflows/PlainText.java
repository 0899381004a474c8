package dev.berth.workflows;

import java.util.regex.Pattern;

/**
 * Text that is safe to print on a terminal. Control characters could move its cursor, change its
 * title or hide what is true; characters that format (Unicode's category Cf, such as those that
 * turn the direction of writing) make a text look like another one. Halves of surrogate pairs are
 * no text at all, and PostgreSQL keeps neither them nor NUL.
 */
public final class PlainText {
    private static final Pattern UNSAFE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]");
    /** Unicode's own sign for what cannot be shown. */
    private static final String REPLACEMENT = "\uFFFD";

    private PlainText() {}

    /** Whether every character of a line may be printed. */
    public static boolean is(String line) {
        return !UNSAFE.matcher(line).find();
    }

    /** A line without what must not be printed. */
    public static String line(String text) {
        return UNSAFE.matcher(text).replaceAll(REPLACEMENT);
    }

    /**
     * The beginning of such a line.
     *
     * @param length in characters, at most
     */
    public static String line(String text, int length) {
        return line(text.substring(0, Math.min(text.length(), length)));
    }
}
