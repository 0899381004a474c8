package dev.berth.acceptance.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.acceptance.stack.FinishedCommand;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.Venue;
import dev.berth.activities.PythonEnvironment;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Checks with the broker's own client that the paper venue speaks the broker's protocol. */
@ExtendWith(StackExtension.class)
class AlpacaClientTest {
    private final Stack stack;

    AlpacaClientTest(Stack stack) {
        this.stack = stack;
    }

    @BeforeEach
    void reset() throws Exception {
        Venue venue = Venue.of(stack);
        venue.reset();
        venue.quote("BTCUSD", "59990", "60010");
    }

    @Test
    @DisplayName("Alpaca's Python client trades at the paper venue and parses every answer")
    void alpacaPythonClientTradesAtVenue() throws Exception {
        assumeTrue(run("python3", "-c", "import ensurepip, venv").status() == 0, "there is no Python 3 with pip");
        PythonEnvironment python = PythonEnvironment.of(
                stack.home().resolveSibling("alpaca-venv"), Path.of("src/test/resources/alpaca-py.txt"));
        Path program = stack.root().resolve("infra/local/venue/src/test/python/alpaca_client.py");
        FinishedCommand client =
                run(python.program("python"), program.toString(), "http://127.0.0.1:" + stack.port("VENUE", 18090));
        assertThat(client.status()).as(client.out()).isZero();
        assertThat(client.out()).contains("alpaca-py and the venue agree");
    }

    private static FinishedCommand run(String... command) throws IOException, InterruptedException {
        try {
            return FinishedCommand.run(new ProcessBuilder(command).redirectErrorStream(true));
        } catch (IOException noSuchProgram) {
            return new FinishedCommand(127, String.valueOf(noSuchProgram.getMessage()), "");
        }
    }
}
