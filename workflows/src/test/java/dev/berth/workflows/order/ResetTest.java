package dev.berth.workflows.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.Samples;
import io.temporal.common.WorkflowExecutionHistory;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A reset run replays what stands in its history from before, under another run id; as does a
 * replay on a laptop. What comes after a reset needs a real server, and is recorded by
 * {@link ResetHistoryRecorder}.
 */
class ResetTest {
    private static final OrderRequest REQUEST = Samples.market(Duration.ofMinutes(10));

    @Test
    @Tag("X12")
    @DisplayName("An order that was late from the beginning replays under another run id as it was")
    void lateOrderReplaysAfterReset() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderRequest late = Samples.marketSubmittedAt(InMemoryServer.OPEN.minusSeconds(61), Duration.ofMinutes(1));
            assertThat(fixture.run(late).status()).isEqualTo(OrderStatus.FAILED);
            assertReplays(fixture, late);
        }
    }

    @Test
    @Tag("X12")
    @DisplayName("An order that was canceled before a worker took it replays under another run id as " + "it was")
    void canceledOrderReplaysAfterReset() {
        try (OrderFixture fixture = OrderFixture.withoutWorker()) {
            OrderWorkflow order = fixture.begin(REQUEST);
            order.cancel();
            assertThat(fixture.end(order).status()).isEqualTo(OrderStatus.CANCELED);
            assertReplays(fixture, REQUEST);
        }
    }

    @Test
    @Tag("X12")
    @DisplayName("An order that got other terms before a worker took it replays under another run id " + "as it was")
    void replacedOrderReplaysAfterReset() {
        try (OrderFixture fixture = OrderFixture.withoutWorker()) {
            OrderWorkflow order = fixture.begin(REQUEST);
            order.replace(new Replacement(Decimal.of("12"), null, null));
            order.cancel();
            assertThat(fixture.end(order).terms().quantity()).hasToString("12");
            assertReplays(fixture, REQUEST);
        }
    }

    private static void assertReplays(OrderFixture fixture, OrderRequest request) {
        WorkflowExecutionHistory history = fixture.server.client().fetchHistory(OrderFixture.id(request));
        assertThatCode(() -> InMemoryServer.replay(history, OrderWorkflowImpl.class))
                .doesNotThrowAnyException();
    }
}
