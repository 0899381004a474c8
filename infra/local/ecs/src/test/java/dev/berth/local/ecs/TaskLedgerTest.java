package dev.berth.local.ecs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TaskLedgerTest {
    private Instant now = Instant.parse("2026-01-05T10:00:00Z");

    @TempDir
    private Path folder;

    @Test
    void stoppedTaskExpiresAfterHourAndTokenAfterDay() {
        TaskLedger ledger = open();
        ledger.admit(book -> Task.accepted(plan()), List::of);
        ledger.change("t1", task -> task.neverStarted(now, null));

        now = now.plus(Duration.ofMinutes(59));
        assertThat(ledger.find("t1")).isPresent();
        now = now.plus(Duration.ofMinutes(2));
        assertThat(ledger.find("t1")).isEmpty();
        assertThat(open().ofToken("token")).hasSize(1);

        now = now.plus(Duration.ofHours(23));
        assertThat(ledger.ofToken("token")).isEmpty();
        ledger.admit(book -> book, book -> List.of());
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void restoredTaskEqualsStoredTask() {
        TaskLedger ledger = open();
        ledger.admit(book -> Task.accepted(plan()), List::of);
        Task written = ledger.change(
                "t1",
                task -> task.pulled(now, "/group")
                        .launched(new Task.StartedProcess(42, now, now))
                        .stopRequested(Task.StopCode.UserInitiated, "why", now));
        assertThat(open().find("t1")).contains(written);
    }

    private TaskLedger open() {
        return new TaskLedger(new JsonFiles(folder), () -> now, (before, after) -> {});
    }

    private TaskPlan plan() {
        return new TaskPlan(
                "tests",
                "t1",
                "host",
                "definition",
                "family",
                1,
                "main",
                "image",
                new ContainerSettings("bridge", true, List.of(new ContainerSettings.Mount("/a", "/b", true))),
                new TaskSize(64, 384, 1_024),
                List.of("true"),
                Map.of("A", "b"),
                "",
                30,
                true,
                "family:family",
                null,
                null,
                EcsJson.object(),
                EcsJson.array(),
                new TaskPlan.Token("token", "digest"),
                now);
    }
}
