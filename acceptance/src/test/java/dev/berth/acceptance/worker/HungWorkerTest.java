package dev.berth.acceptance.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.ChangedWorkers;
import dev.berth.acceptance.stack.EcsApi;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Processes;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.Venue;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A worker hangs. Its task definition detects that after seconds instead of 180 s. */
@Tag("long")
@ExtendWith(StackExtension.class)
class HungWorkerTest {
    private static final Duration CALL = Duration.ofSeconds(3);
    private static final Duration HUNG = Duration.ofSeconds(8);
    private static final int EXIT_CODE = 70;

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    /** A cold start, beside those of the pool. */
    private static final Duration REPLACED = Duration.ofSeconds(60);
    /** A failed look-up, the longest backoff, and the second look-up that must agree. */
    private static final Duration FOUND = Duration.ofSeconds(90);

    private static final Pattern PORT = Pattern.compile("dt_socket at address: (\\d+)");
    /** Broker calls run on these carrier threads. */
    private static final String CARRIERS = "ForkJoinPool-1-worker";

    private final Stack stack;
    private final Venue venue;
    private final EcsApi ecs;
    private ChangedWorkers workers;

    HungWorkerTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
        this.ecs = EcsApi.of(stack);
    }

    @BeforeEach
    void shortenHangDetection() throws Exception {
        workers = ChangedWorkers.with(
                stack,
                Map.of(
                        "BERTH_SUBMIT_LIMIT", CALL.toString(),
                        "BERTH_CALL_LIMIT", CALL.toString(),
                        "BERTH_HUNG_AFTER", HUNG.toString(),
                        "JAVA_TOOL_OPTIONS", Debugger.AGENT));
    }

    @AfterEach
    void restoreTaskDefinition() throws Exception {
        workers.restore();
    }

    @Test
    @Tag("D1")
    @DisplayName("A hung process ends itself with exit code 70 and is replaced; its order is sent once")
    void hungProcessEndsAndIsReplaced() throws Exception {
        Trader hung = Eventually.trading(stack, "hung-process");
        Trader neighbour = Eventually.trading(stack, "hung-process-neighbour");
        Worker before = hung.worker();
        long pid = before.pid();
        try (Debugger debugger = Debugger.attach(port(before))) {
            debugger.suspend(CARRIERS);
            Instant caught = Instant.now();
            hung.submit(OrderBody.market("caught", "AAPL", "buy", "1").json());
            Eventually.filled(neighbour, "beside");
            assertThat(Processes.lives(pid) || Instant.now().isAfter(caught.plus(HUNG)))
                    .isTrue();
            await().atMost(HUNG.plus(TIMEOUT)).until(() -> {
                debugger.suspend(CARRIERS);
                return !Processes.lives(pid);
            });
        }
        await().atMost(TIMEOUT).until(() -> ecs.exitCode(before.taskArn()) == EXIT_CODE);
        Worker after = Eventually.successor(hung, before, REPLACED);
        assertThat(after.deaths()).isEqualTo(1);
        Eventually.order(hung, "caught", "FILLED", FOUND);
        assertThat(venue.arrivals(hung))
                .extracting(Venue.Arrival::clientOrderId)
                .containsExactly("warm", "caught");
        assertThat(neighbour.worker().deaths()).isZero();
    }

    private String port(Worker worker) throws IOException {
        String log = Files.readString(stack.home().resolve("log/task-" + worker.taskId() + ".log"));
        return PORT.matcher(log)
                .results()
                .map(port -> port.group(1))
                .findFirst()
                .orElseThrow();
    }
}
