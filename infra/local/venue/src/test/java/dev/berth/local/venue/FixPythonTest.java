package dev.berth.local.venue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client that others wrote, in another language; skipped when Python cannot install it. */
class FixPythonTest extends VenueFixture {
    private record Finished(int status, String out) {}

    @Test
    void simplefixTradesAtVenue(@TempDir Path folder) throws Exception {
        var python = folder.resolve("venv/bin/python").toString();
        var venv = run("python3", "-m", "venv", folder.resolve("venv").toString());
        assumeTrue(venv.status == 0, venv.out);
        var pip = run(
                python,
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                "--require-hashes",
                "--only-binary=:all:",
                "-r",
                "src/test/resources/simplefix.txt");
        assumeTrue(pip.status == 0, pip.out);

        var trading = run(python, "src/test/python/fix_client.py", String.valueOf(venue.fixPort()));

        assertThat(trading.status).as(trading.out).isZero();
        assertThat(trading.out).contains("simplefix and the venue agree");
        assertThat(client.book().getFirst().path("account").asText()).isEqualTo("python");
    }

    private static Finished run(String... command) throws InterruptedException {
        try {
            var process = new ProcessBuilder(command).redirectErrorStream(true).start();
            var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Finished(process.waitFor(), out);
        } catch (IOException noSuchProgram) {
            return new Finished(127, String.valueOf(noSuchProgram.getMessage()));
        }
    }
}
