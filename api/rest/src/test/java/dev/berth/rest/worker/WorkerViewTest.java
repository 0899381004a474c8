package dev.berth.rest.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.routing.heartbeat.WorkerHeartbeat;
import dev.berth.workflows.UserId;
import dev.berth.workflows.worker.LiveWorker;
import dev.berth.workflows.worker.WorkerPhase;
import dev.berth.workflows.worker.WorkerProcess;
import dev.berth.workflows.worker.WorkerState;
import dev.berth.workflows.worker.WorkerStatus;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class WorkerViewTest {
    private static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");

    private static WorkerState active(long epoch) {
        WorkerProcess process = new WorkerProcess(epoch, "task/one", "host-1", 7, "key");
        LiveWorker worker = new LiveWorker(process, LiveWorker.Origin.CLAIM, List.of());
        return WorkerState.none(new UserId("alice"))
                .withStatus(new WorkerStatus.Active(NOON, worker))
                .withEpoch(epoch)
                .withRaised(epoch)
                .withRecentDeaths(Collections.nCopies(6, NOON))
                .withDeaths(6)
                .withRequestedAt(NOON);
    }

    private static WorkerHeartbeat heartbeat(long epoch, String order) {
        return WorkerHeartbeat.of(
                Map.of(
                        "epoch",
                        Long.toString(epoch),
                        "current_order",
                        order,
                        "last_order_at",
                        NOON.toString(),
                        "idle_at",
                        order.isEmpty() ? NOON.plusSeconds(60).toString() : "",
                        "sessions",
                        "alpaca/equity/paper/one,alpaca/equity/paper/two",
                        "requests_used",
                        "42"),
                1200L);
    }

    @Tag("D2")
    @DisplayName("A worker with a current order is PROCESSING, with order, sessions and last order")
    @Test
    void workerWithOrderIsProcessing() {
        WorkerView view = WorkerView.of(active(3), heartbeat(3, "o-1"), NOON);
        assertThat(view.state()).isEqualTo(WorkerPhase.PROCESSING);
        assertThat(view.currentOrder()).isEqualTo("o-1");
        assertThat(view.lastOrderAt()).isEqualTo(NOON);
        assertThat(view.sessions()).containsExactly("alpaca/equity/paper/one", "alpaca/equity/paper/two");
        assertThat(view.requestsUsed()).isEqualTo(42);
        assertThat(view.heartbeatAgeMillis()).isEqualTo(1200);
        assertThat(view.crashLooping()).isTrue();
    }

    @Tag("A12")
    @DisplayName("Without an order a worker is ACTIVE, with its idle time until that has passed")
    @Test
    void workerWithoutOrderIsActive() {
        WorkerView view = WorkerView.of(active(3), heartbeat(3, ""), NOON);
        assertThat(view.state()).isEqualTo(WorkerPhase.ACTIVE);
        assertThat(view.next().action()).contains("unless an order");
        assertThat(view.next().at()).isEqualTo(NOON.plusSeconds(60));
        WorkerView later = WorkerView.of(active(3), heartbeat(3, ""), NOON.plusSeconds(61));
        assertThat(later.next()).isEqualTo(active(3).status().next());
        assertThat(WorkerView.of(active(3), heartbeat(3, "o-1"), NOON).next().at())
                .isNull();
        assertThat(WorkerView.of(active(4), heartbeat(3, ""), NOON).next().at()).isNull();
    }

    @Test
    void heartbeatOfEarlierEpochIsIgnored() {
        WorkerView view = WorkerView.of(active(4), heartbeat(3, "o-1"), NOON);
        assertThat(view.state()).isEqualTo(WorkerPhase.ACTIVE);
        assertThat(view.currentOrder()).isNull();
        assertThat(view.sessions()).isEmpty();
    }

    @Test
    void workerWithoutHeartbeatIsActive() {
        assertThat(WorkerView.of(active(3), WorkerHeartbeat.NONE, NOON).state()).isEqualTo(WorkerPhase.ACTIVE);
    }

    @Test
    void userWithoutWorkerIsTerminated() {
        WorkerView view = WorkerView.of(WorkerState.none(new UserId("alice")), WorkerHeartbeat.NONE, NOON);
        assertThat(view.state()).isEqualTo(WorkerPhase.TERMINATED);
        assertThat(view.since()).isNull();
        assertThat(view.next().action()).isNotBlank();
        assertThat(view.crashLooping()).isFalse();
    }
}
