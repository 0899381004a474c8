package dev.berth.host.broker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The tables of {@code docs/adapters.md}. */
final class AdaptersDocument {
    private static final Path DOCUMENT = Path.of("..", "docs", "adapters.md");

    private AdaptersDocument() {}

    /** The rows of the table whose first column has this name, its head first. */
    static List<List<String>> table(String firstColumn) throws IOException {
        return Files.readAllLines(DOCUMENT).stream()
                .dropWhile(line -> !line.startsWith("| " + firstColumn + " |"))
                .takeWhile(line -> line.startsWith("|"))
                .filter(line -> !line.startsWith("|---"))
                .map(line ->
                        Stream.of(line.split("\\|")).skip(1).map(String::strip).toList())
                .toList();
    }
}
