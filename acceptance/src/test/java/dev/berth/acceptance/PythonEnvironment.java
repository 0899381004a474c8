package dev.berth.acceptance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A virtual environment of Python with the packages that a list of requirements pins. */
record PythonEnvironment(Path folder) {
    private static final Path REQUIREMENTS = Path.of("src/test/resources").toAbsolutePath();

    /**
     * Installs the packages once a build; an incomplete environment is made again.
     *
     * @param requirements a file among the test resources, each package with its hashes
     * @throws IOException when Python 3 with pip is missing, or cannot install them
     */
    static PythonEnvironment of(Path folder, String requirements) throws IOException, InterruptedException {
        PythonEnvironment environment = new PythonEnvironment(folder);
        Path wanted = REQUIREMENTS.resolve(requirements);
        Path installed = folder.resolve("installed.txt");
        if (!Files.exists(installed) || Files.mismatch(installed, wanted) >= 0) {
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
                    wanted.toString());
            Files.copy(wanted, installed);
        }
        return environment;
    }

    /** The path of a program of the environment. */
    String program(String name) {
        return folder.resolve("bin").resolve(name).toString();
    }

    private static void require(String... command) throws IOException, InterruptedException {
        FinishedCommand ended = FinishedCommand.run(new ProcessBuilder(command).redirectErrorStream(true));
        if (ended.status() != 0) {
            throw new IOException(String.join(" ", command) + ": " + ended.out());
        }
    }
}
