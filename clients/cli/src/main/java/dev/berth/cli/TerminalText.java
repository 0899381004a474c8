package dev.berth.cli;

import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The one output filter. Answers repeat texts of venues, workers and users. Control characters in
 * them could move a terminal's cursor or change its title; formatting characters (Unicode's
 * category Cf) make a text look like another.
 */
final class TerminalText {
    private static final Pattern UNSAFE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}&&[^\\n]]");
    /** Unicode's own sign for a character that cannot be shown. */
    private static final String REPLACEMENT = "\uFFFD";

    private TerminalText() {}

    static String lines(String text) {
        return UNSAFE.matcher(text).replaceAll(REPLACEMENT);
    }

    /** The same JSON, with unsafe characters as escapes. */
    static String json(String json) {
        return UNSAFE.matcher(json).replaceAll(TerminalText::escape);
    }

    private static String escape(MatchResult match) {
        return match.group()
                .chars()
                .mapToObj(unsafe -> String.format(Locale.ROOT, "\\\\u%04x", unsafe))
                .collect(Collectors.joining());
    }
}
