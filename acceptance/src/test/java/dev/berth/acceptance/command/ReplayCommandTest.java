package dev.berth.acceptance.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.BerthCommand;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.FinishedCommand;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.TemporalCli;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Checks what {@code ./berth replay} prints for a running workflow and for an exported history. */
@Tag("long")
@ExtendWith(StackExtension.class)
@Tag("X12")
@Tag("X25")
class ReplayCommandTest {
    private final Stack stack;
    private final BerthCommand berth;

    ReplayCommandTest(Stack stack) {
        this.stack = stack;
        this.berth = new BerthCommand(stack);
    }

    @Test
    @DisplayName("An order and its worker are shown step by step and replay to the same commands")
    void replaysRunningWorkflows() throws Exception {
        Eventually.trading(stack, "replayed");
        assertThat(berth.done("replay order:replayed:warm"))
                .contains("started: Order")
                .contains("decided: submitOrder on queue user-replayed")
                .contains("submitOrder answered")
                .endsWith("\nsame\n");
        assertThat(berth.done("replay worker:replayed"))
                .contains("heard: ensure ")
                .contains("heard: attached ")
                .contains("decided: openSession on queue user-replayed-control")
                .endsWith("\nsame\n");
    }

    @Test
    @DisplayName("A history file replays; a changed one ends with 1 and names the event that differs")
    void replaysHistoryFile(@TempDir Path folder) throws Exception {
        Trader trader = Eventually.trading(stack, "replayed-file");
        assertThat(trader.order("warm").status()).isEqualTo("FILLED");
        String history = new TemporalCli(stack)
                .workflow("show", "--workflow-id", "order:replayed-file:warm")
                .toString();
        Path same = Files.writeString(folder.resolve("same.json"), history);
        assertThat(berth.done("replay order:replayed-file:warm --file " + same)).endsWith("\nsame\n");
        Path other =
                Files.writeString(folder.resolve("other.json"), history.replace("\"submitOrder\"", "\"cancelOrder\""));
        FinishedCommand differs = berth.run("replay order:replayed-file:warm --file " + other);
        assertThat(differs.status()).isEqualTo(1);
        assertThat(differs.out().lines().toList().getLast()).startsWith("differs at event 5: ");
    }

    @Test
    @DisplayName("A workflow replays by the code of another checkout, which must be built")
    void replaysByCodeOfAnotherCheckout(@TempDir Path empty) throws Exception {
        Eventually.trading(stack, "replayed-build");
        assertThat(berth.done("replay --build " + stack.root() + " order:replayed-build:warm"))
                .endsWith("\nsame\n");
        FinishedCommand unbuilt = berth.run("replay --build " + empty + " order:replayed-build:warm");
        assertThat(unbuilt.status()).isEqualTo(2);
        assertThat(unbuilt.errors()).contains("is no checkout that is built", "./berth up");
    }

    @Test
    @DisplayName("An unknown workflow and wrong usage end with 2")
    void unknownWorkflowEndsWith2() throws Exception {
        FinishedCommand unknown = berth.run("replay order:unknown:nothing");
        assertThat(unknown.status()).isEqualTo(2);
        assertThat(unknown.out()).startsWith("no such workflow: order:unknown:nothing");
        FinishedCommand wrong = berth.run("replay --fast");
        assertThat(wrong.status()).isEqualTo(2);
        assertThat(wrong.errors()).contains("there is no option '--fast'").contains("Usage: ./berth replay");
    }
}
