package dev.berth.workflows.guardrails;

import dev.berth.workflows.Checkout;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The text of the repository that this module is part of. */
final class Repository {
    static final Path ROOT = Checkout.ROOT;

    private static final Set<String> NO_SOURCES = Set.of("target", ".git", ".berth");

    private Repository() {}

    /** Every Java file of every module with its text, by its path from the root. */
    static Map<Path, String> javaSources() throws IOException {
        return texts(Pattern.compile(".*\\.java"));
    }

    /** Every file whose name matches with its text, by its path from the root. */
    static Map<Path, String> texts(Pattern name) throws IOException {
        Map<Path, String> sources = new TreeMap<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return NO_SOURCES.contains(folder.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (name.matcher(file.getFileName().toString()).matches()) {
                    sources.put(ROOT.relativize(file), Files.readString(file));
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return sources;
    }
}
