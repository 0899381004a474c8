package dev.berth.cli;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Rows whose columns are as wide as their longest cell. */
final class TextTable {
    private static final String GAP = "  ";

    private final List<Column> columns;
    private final List<List<String>> rows = new ArrayList<>();

    /** @param columns no line of titles when all titles are empty */
    TextTable(Column... columns) {
        this.columns = List.of(columns);
    }

    /** The title of a column, and the side to which its cells are aligned. */
    record Column(String title, boolean alignsRight) {
        static Column left(String title) {
            return new Column(title, false);
        }

        static Column right(String title) {
            return new Column(title, true);
        }
    }

    void row(String... cells) {
        rows.add(List.of(cells));
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    /** Each row ends with a line break, and with no space before it. */
    @Override
    public String toString() {
        List<List<String>> lines = new ArrayList<>(rows);
        List<String> titles = columns.stream().map(Column::title).toList();
        if (!titles.stream().allMatch(String::isEmpty)) {
            lines.addFirst(titles);
        }
        List<Integer> widths = IntStream.range(0, columns.size())
                .mapToObj(column -> Collections.max(
                        lines.stream().map(line -> line.get(column).length()).toList()))
                .toList();
        return lines.stream().map(line -> line(line, widths)).collect(Collectors.joining());
    }

    private String line(List<String> cells, List<Integer> widths) {
        return IntStream.range(0, cells.size())
                        .mapToObj(column -> {
                            String cell = cells.get(column);
                            String padding = " ".repeat(widths.get(column) - cell.length());
                            return columns.get(column).alignsRight() ? padding + cell : cell + padding;
                        })
                        .collect(Collectors.joining(GAP))
                        .stripTrailing()
                + "\n";
    }
}
