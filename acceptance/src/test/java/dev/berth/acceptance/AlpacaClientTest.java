package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The venue is a stand-in for a broker only as far as the broker's own client can not tell the difference. */
@ExtendWith(OnTheStack.class)
class AlpacaClientTest {
    private static final String CLIENT = "alpaca-py==0.44.0";

    private final Stack stack;

    AlpacaClientTest(Stack stack) {
        this.stack = stack;
    }

    @BeforeEach
    void reset() throws Exception {
        Venue.of(stack).reset();
    }

    @Test
    @DisplayName("Alpaca's own Python client trades at the paper venue and understands every answer")
    void alpacasClientUnderstandsTheVenue() throws Exception {
        assumeTrue(run("python3", "-c", "import ensurepip, venv").status() == 0, "there is no Python 3 with pip");
        Path python = clientIn(stack.home().resolveSibling("alpaca-venv"));
        Path program = stack.root().resolve("infra/local/src/test/python/alpaca_client.py");
        Ended trading = run(python.toString(), program.toString(), "http://127.0.0.1:" + stack.port("VENUE", 18090));
        assertThat(trading.status()).as(trading.printed()).isZero();
        assertThat(trading.printed()).contains("alpaca-py and the venue agree");
    }

    /** Installed once; an environment that is not finished is made again. */
    private static Path clientIn(Path environment) throws IOException, InterruptedException {
        Path finished = environment.resolve("installed-" + CLIENT);
        Path python = environment.resolve("bin/python");
        if (!Files.exists(finished)) {
            Ended made = run("python3", "-m", "venv", "--clear", environment.toString());
            assertThat(made.status()).as(made.printed()).isZero();
            Ended installed = run(python.toString(), "-m", "pip", "install", "-q", "--no-compile", CLIENT);
            assertThat(installed.status()).as(installed.printed()).isZero();
            Files.createFile(finished);
        }
        return python;
    }

    private record Ended(int status, String printed) {}

    private static Ended run(String... command) throws IOException, InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Ended(process.waitFor(), printed);
        } catch (IOException noSuchProgram) {
            return new Ended(127, String.valueOf(noSuchProgram.getMessage()));
        }
    }
}
