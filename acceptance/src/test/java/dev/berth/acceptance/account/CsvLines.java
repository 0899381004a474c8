package dev.berth.acceptance.account;

import java.util.ArrayList;
import java.util.List;

/** Reads comma-separated values as RFC 4180 says. */
final class CsvLines {
    private final List<List<String>> lines = new ArrayList<>();
    private List<String> line = new ArrayList<>();
    private StringBuilder field = new StringBuilder();
    private boolean isQuoted;

    private CsvLines() {}

    static List<List<String>> of(String text) {
        CsvLines read = new CsvLines();
        for (int index = 0; index < text.length(); index++) {
            char character = text.charAt(index);
            if (character == '"') {
                boolean isEscaped = read.isQuoted && index + 1 < text.length() && text.charAt(index + 1) == '"';
                if (isEscaped) {
                    read.field.append('"');
                    index++;
                } else {
                    read.isQuoted = !read.isQuoted;
                }
            } else {
                read.add(character);
            }
        }
        return read.lines;
    }

    private void add(char character) {
        if (isQuoted || (character != ',' && character != '\r' && character != '\n')) {
            field.append(character);
        } else if (character != '\r') {
            line.add(field.toString());
            field = new StringBuilder();
            if (character == '\n') {
                lines.add(line);
                line = new ArrayList<>();
            }
        }
    }
}
