package dev.berth.acceptance.outage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.BerthCommand;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.FinishedCommand;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.Venue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Runs the commands of {@code docs/runbooks/restore.md}; the venue is ahead of the backup. */
@ExtendWith(StackExtension.class)
@Tag("long")
class RestoreTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final Path RUNBOOK = Path.of("../docs/runbooks/restore.md");

    private final Stack stack;
    private final Venue venue;

    RestoreTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
    }

    @AfterEach
    void reset() throws Exception {
        stack.berth("up");
        venue.reset();
    }

    @Test
    @Tag("X28")
    @DisplayName("After a restore the venue is asked: nothing is sent again, and lost orders are listed")
    void nothingIsSentAgain(@TempDir Path backup) throws Exception {
        FleetOperator operator = FleetOperator.of(stack);
        Trader trader = Eventually.trading(stack, "restored");
        trader.submit(OrderBody.limit("rests", "SPY", "buy", "1", "90"), 60);
        Worker before = trader.worker();
        operator.tell("/workers/restored:suspend", "backup");
        Eventually.ended(before.pid(), TIMEOUT);
        submit(trader, "waits", Duration.ofMinutes(30));
        submit(trader, "expires", Duration.ofMinutes(5));
        Instant expired = Instant.now().plus(Duration.ofMinutes(5));
        stack.berth("down");
        shell("cp -a \"$BERTH_HOME\"/data/postgres \"$BERTH_HOME\"/data/temporal.db* \"$BACKUP\"", backup);

        stack.berth("up");
        operator.tell("/workers/restored:resume", "goes on");
        Eventually.order(trader, "waits", "FILLED", TIMEOUT);
        Eventually.order(trader, "expires", "FILLED", TIMEOUT);
        Eventually.filled(trader, "lost");
        venue.quote("SPY", "89", "89.5");
        Eventually.order(trader, "rests", "FILLED", TIMEOUT);
        List<Venue.Arrival> sent = venue.arrivals(trader);
        await().atMost(TIMEOUT).until(() -> Instant.now().isAfter(expired));

        shell(commands(), backup);
        assertThat(trader.get("/v1/orders/lost").status()).isEqualTo(404);
        operator.tell("/workers/restored:resume", "restored");
        for (String order : List.of("waits", "expires", "rests")) {
            Eventually.order(trader, order, "FILLED", TIMEOUT);
        }
        assertThat(venue.arrivals(trader)).isEqualTo(sent);
        assertThat(trader.worker().epoch()).isGreaterThan(sent.getLast().epoch());
        FinishedCommand verify = new BerthCommand(stack).run("verify");
        assertThat(verify.status()).isEqualTo(1);
        assertThat(verify.out()).contains("lost of account restored is filled at the venue");
    }

    private static void submit(Trader trader, String id, Duration within) throws Exception {
        String order = OrderBody.market(id, "AAPL", "buy", "1").within(within).json();
        assertThat(trader.submit(order).text("status")).isEqualTo("PENDING");
    }

    /** The commands that the page gives for the local stack. */
    private static String commands() throws Exception {
        String page = Files.readString(RUNBOOK);
        int begin = page.indexOf("```\n") + 4;
        return page.substring(begin, page.indexOf("```", begin));
    }

    private void shell(String commands, Path backup) throws Exception {
        ProcessBuilder shell = new ProcessBuilder("bash", "-ec", commands)
                .directory(stack.root().toFile())
                .redirectErrorStream(true);
        shell.environment().putAll(stack.environment());
        shell.environment().put("BACKUP", backup.toString());
        FinishedCommand done = FinishedCommand.run(shell);
        assertThat(done.status()).as(done.out()).isZero();
    }
}
