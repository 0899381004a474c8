package dev.berth.rest;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.function.Function;

/** The text of a cursor: the parts of a position in a list, which no client should read. */
public final class CursorText {
    private static final String BLANK = " ";

    private CursorText() {}

    /**
     * Writes a cursor.
     *
     * @param parts without a blank, but for the last
     */
    public static String of(Object... parts) {
        StringBuilder text = new StringBuilder();
        for (Object part : parts) {
            text.append(text.isEmpty() ? "" : BLANK).append(part);
        }
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(text.toString().getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Reads the cursor of an earlier page.
     *
     * @param number of its parts
     * @throws IllegalArgumentException when the text is none
     */
    public static <T> T parse(String cursor, int number, Function<String[], T> parser) {
        try {
            String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
            // PostgreSQL's texts have no NUL.
            if (text.indexOf('\0') >= 0) {
                throw new IllegalArgumentException("a cursor has no NUL");
            }
            return parser.apply(text.split(BLANK, number));
        } catch (RuntimeException invalid) {
            throw new IllegalArgumentException("cursor is not from an earlier page. Start without a cursor.");
        }
    }
}
