package dev.berth.activities;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A virtual environment of Python with the packages that a list of requirements pins. */
public record PythonEnvironment(Path folder) {
    /**
     * Installs the packages once a build; an incomplete environment is made again. JVMs that ask
     * for the same folder wait for each other.
     *
     * @param requirements a file with each package and its hashes
     * @throws IOException when Python 3 with pip is missing, or cannot install them
     */
    public static synchronized PythonEnvironment of(Path folder, Path requirements)
            throws IOException, InterruptedException {
        PythonEnvironment environment = new PythonEnvironment(folder);
        Path installed = folder.resolve("installed.txt");
        Files.createDirectories(folder.toAbsolutePath().getParent());
        Path lock = folder.resolveSibling(folder.getFileName() + ".lock");
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock _ = channel.lock()) {
            if (!Files.exists(installed) || Files.mismatch(installed, requirements) >= 0) {
                require("python3", "-m", "venv", "--clear", folder.toString());
                require(
                        environment.program("python"),
                        "-m",
                        "pip",
                        "install",
                        "--quiet",
                        "--no-compile",
                        "--disable-pip-version-check",
                        "--require-hashes",
                        "--only-binary=:all:",
                        "-r",
                        requirements.toString());
                Files.copy(requirements, installed);
            }
        }
        return environment;
    }

    /** As {@link #of}; aborts the test when Python 3 with pip cannot install the packages. */
    public static PythonEnvironment ofOrAbort(Path folder, Path requirements) throws IOException, InterruptedException {
        try {
            return of(folder, requirements);
        } catch (IOException missing) {
            return abort("not tested, since Python 3 with pip could not install " + requirements.getFileName() + ": "
                    + missing.getMessage());
        }
    }

    /** The path of a program of the environment. */
    public String program(String name) {
        return folder.resolve("bin").resolve(name).toString();
    }

    private static void require(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + ": " + out);
        }
    }
}
