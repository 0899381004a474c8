package dev.berth.cli;

import com.fasterxml.jackson.databind.JsonNode;

/** The end of a page of a list. */
final class Pages {
    private Pages() {}

    static String of(CharSequence lines, JsonNode page, String whenEmpty) {
        String text = lines.isEmpty() ? whenEmpty + "\n" : lines.toString();
        String next = page.path("nextCursor").asText("");
        return next.isEmpty() ? text : text + "There are more; the next page begins at " + next + "\n";
    }
}
