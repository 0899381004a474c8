package dev.berth.acceptance.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Draws the medians of two runs of {@code ./berth bench -o json} beside each other: a bar a row
 * that both have, as long as the second is to the first. Prints the SVG.
 */
final class BenchPlot {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int NAME = 420;
    /** Of a bar that is as long as before. */
    private static final int SAME = 160;

    private static final int LONGEST = 2;
    private static final int LINE = 22;
    private static final int TOP = 48;

    private BenchPlot() {}

    static void main(String[] arguments) throws IOException {
        if (arguments.length != 2) {
            System.err.println("berth: bench plot takes two files that ./berth bench -o json wrote.");
            System.exit(2);
        }
        System.out.print(plot(Path.of(arguments[0]), Path.of(arguments[1])));
    }

    /** @throws IOException when a file cannot be read, or has another line than a row */
    static String plot(Path before, Path after) throws IOException {
        Map<String, JsonNode> first = rows(before);
        Map<String, JsonNode> second = rows(after);
        StringBuilder svg = new StringBuilder();
        int line = TOP;
        for (Map.Entry<String, JsonNode> row : first.entrySet()) {
            JsonNode same = second.get(row.getKey());
            if (same == null) {
                continue;
            }
            double was = row.getValue().required("median").asDouble();
            double is = same.required("median").asDouble();
            double ratio = was == 0 ? 1 : is / was;
            String unit = row.getValue().required("unit").asText();
            svg.append(text(8, line, row.getKey()))
                    .append("<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"12\" fill=\"#4477aa\"/>%n"
                            .formatted(NAME, line - 10, Math.round(SAME * Math.min(ratio, LONGEST))))
                    .append(text(
                            NAME + SAME * LONGEST + 12,
                            line,
                            String.format(Locale.ROOT, "%.2f → %.2f %s (× %.2f)", was, is, unit, ratio)));
            line += LINE;
        }
        String one = "<line x1=\"%1$s\" x2=\"%1$s\" y1=\"%2$s\" y2=\"%3$s\" stroke=\"#333\"/>%n"
                .formatted(NAME + SAME, TOP - LINE, line);
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1040\" height=\"%s\" font-family=\"sans-serif\" font-size=\"12\">%n"
                        .formatted(line)
                + text(8, 20, "medians of " + after.getFileName() + " to " + before.getFileName() + "; the line is 1")
                + svg
                + one
                + "</svg>\n";
    }

    private static Map<String, JsonNode> rows(Path file) throws IOException {
        Map<String, JsonNode> rows = new LinkedHashMap<>();
        for (String line : Files.readAllLines(file)) {
            JsonNode row = JSON.readTree(line);
            if (row.has("median")) {
                rows.put(row.required("name").asText(), row);
            }
        }
        return rows;
    }

    private static String text(int x, int y, String text) {
        String escaped = text.replace("&", "&amp;").replace("<", "&lt;");
        return "<text x=\"%s\" y=\"%s\">%s</text>%n".formatted(x, y, escaped);
    }
}
