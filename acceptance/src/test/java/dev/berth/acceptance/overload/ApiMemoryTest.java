package dev.berth.acceptance.overload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Processes;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** An API process that runs out of memory must not go on in an undefined state. */
@Tag("long")
@ExtendWith(StackExtension.class)
class ApiMemoryTest {
    /** {@code berth} waits a minute for the old process to end, and two for the new one. */
    private static final Duration RESTART = Duration.ofMinutes(3);

    private final Stack stack;

    ApiMemoryTest(Stack stack) {
        this.stack = stack;
    }

    private List<Long> restarters() throws IOException {
        return Processes.of(stack).stream()
                .filter(pid -> Processes.command(pid).contains("berth restart-"))
                .toList();
    }

    private boolean isReady() throws IOException, InterruptedException {
        return stack.api().call("GET", "/actuator/health/readiness", null).status() == 200;
    }

    @Test
    @Tag("E12")
    @DisplayName("An API that is out of memory ends and is restarted; a killed one is not")
    void apiRestartsAfterOutOfMemory(@TempDir Path folder) throws Exception {
        Trader trader = Eventually.trading(stack, "api-memory");
        long before = stack.process("api").pid();
        HeapFiller.fill(before, folder);
        await().atMost(RESTART)
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> stack.process("api").pid() != before && isReady());
        assertThat(Processes.lives(before)).isFalse();
        Eventually.filled(trader, "after");
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(restarters()).isEmpty());

        // The JVM starts its successor itself, so a kill starts none.
        stack.process("api").kill();
        assertThat(restarters()).isEmpty();
        stack.berth("up");
    }

    @Test
    @Tag("E12")
    @DisplayName("A restart requested by another process than the stack's API does nothing")
    void restartIgnoresForeignProcess() throws Exception {
        long api = stack.process("api").pid();
        stack.berth("restart-api", Long.toString(ProcessHandle.current().pid()));
        assertThat(restarters()).isEmpty();
        assertThat(stack.process("api").pid()).isEqualTo(api);
    }
}
