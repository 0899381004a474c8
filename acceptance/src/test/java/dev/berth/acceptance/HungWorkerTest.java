package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A worker that lives and does nothing any more. Its revision hangs after seconds in place of 180. */
@ExtendWith(OnTheStack.class)
class HungWorkerTest {
    private static final Duration CALL = Duration.ofSeconds(3);
    private static final Duration HUNG = Duration.ofSeconds(8);
    private static final int EXIT_CODE = 70;

    private static final Duration SOON = Duration.ofSeconds(20);
    /** A question that failed just before, the longest pause, and the second that has to agree. */
    private static final Duration FOUND = Duration.ofSeconds(45);

    private static final Pattern PORT = Pattern.compile("dt_socket at address: (\\d+)");
    /** Whatever is asked of a broker runs on one of these. */
    private static final String CARRIERS = "ForkJoinPool-1-worker";

    private final Stack stack;
    private final Venue venue;
    private final Ecs ecs;
    private JsonNode usual;

    HungWorkerTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
        this.ecs = Ecs.of(stack);
    }

    @BeforeEach
    void soonHung() throws Exception {
        usual = ecs.define("BERTH_SUBMIT_LIMIT", CALL.toString());
        ecs.define("BERTH_CALL_LIMIT", CALL.toString());
        ecs.define("BERTH_HUNG_AFTER", HUNG.toString());
        ecs.define("JAVA_TOOL_OPTIONS", Debugger.AGENT);
        Eventually.renewedPool(stack);
    }

    @AfterEach
    void giveBack() throws Exception {
        ecs.register(usual);
        Eventually.renewedPool(stack);
    }

    @Test
    @DisplayName(
            "D1 a process that hangs as a whole ends itself with exit code 70 and is replaced; its order is sent once,"
                    + " and other users notice nothing")
    void hangs() throws Exception {
        Trader hung = Eventually.trading(stack, "hung-process");
        Trader neighbour = Eventually.trading(stack, "hung-process-neighbour");
        JsonNode before = hung.worker();
        long pid = before.path("pid").asLong();
        try (Debugger debugger = Debugger.attach(port(before))) {
            debugger.suspend(CARRIERS);
            hung.submit(NewOrder.market("caught", "AAPL", "buy", "1").json());
            assertThat(neighbour
                            .submit(NewOrder.market("beside", "AAPL", "buy", "1"), 10)
                            .text("status"))
                    .isEqualTo("FILLED");
            assertThat(Processes.lives(pid)).isTrue();
            await().atMost(HUNG.plus(SOON)).until(() -> {
                debugger.suspend(CARRIERS);
                return !Processes.lives(pid);
            });
        }
        await().atMost(SOON).until(() -> ecs.exitCode(before.path("taskArn").asText()) == EXIT_CODE);
        JsonNode after = Eventually.activeWorker(hung, before.path("epoch").asLong() + 1, SOON);
        assertThat(after.path("deaths").asInt()).isEqualTo(1);
        Eventually.order(hung, "caught", "FILLED", FOUND);
        assertThat(venue.arrivals(hung))
                .extracting(Venue.Arrival::clientOrderId)
                .containsExactly("warm", "caught");
        assertThat(neighbour.worker().path("deaths").asInt()).isZero();
    }

    private String port(JsonNode worker) throws IOException {
        String log = Files.readString(stack.home().resolve("log/task-" + Ecs.idOf(worker) + ".log"));
        return PORT.matcher(log)
                .results()
                .map(port -> port.group(1))
                .findFirst()
                .orElseThrow();
    }
}
