package dev.berth.workflows.order;

import static io.temporal.api.enums.v1.EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED;
import static io.temporal.api.enums.v1.EventType.EVENT_TYPE_MARKER_RECORDED;
import static io.temporal.api.enums.v1.EventType.EVENT_TYPE_TIMER_CANCELED;
import static io.temporal.api.enums.v1.EventType.EVENT_TYPE_TIMER_STARTED;
import static io.temporal.api.enums.v1.EventType.EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES;
import static io.temporal.api.enums.v1.EventType.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.Samples;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.history.v1.HistoryEvent;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What an order costs: each of its commands is stored, and replayed. */
@Tag("X12")
class OrderHistoryTest {
    /** So old that it asks for no worker while it waits for a slow answer. */
    private static final OrderRequest REQUEST =
            Samples.marketSubmittedAt(InMemoryServer.OPEN.minus(Duration.ofHours(2)), Duration.ofDays(1));

    private static final Set<EventType> COMMANDS = Set.of(
            EVENT_TYPE_ACTIVITY_TASK_SCHEDULED,
            EVENT_TYPE_MARKER_RECORDED,
            EVENT_TYPE_TIMER_CANCELED,
            EVENT_TYPE_TIMER_STARTED,
            EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES,
            EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED);

    @Test
    @DisplayName("An order that is filled at once is sent in its first task, and written once")
    void filledAtOnce() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.orders.answers.next(FakeVenueOrders.answered(filled("10")));
            fixture.run(REQUEST);
            assertThat(commands(fixture, 0))
                    .containsExactly(
                            EVENT_TYPE_ACTIVITY_TASK_SCHEDULED,
                            EVENT_TYPE_TIMER_STARTED,
                            EVENT_TYPE_TIMER_CANCELED,
                            EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES,
                            EVENT_TYPE_MARKER_RECORDED,
                            EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED);
        }
    }

    @Test
    @DisplayName("A report is shown and written, and the time to the next check begins anew")
    void filledByReports() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = fixture.resting(REQUEST);
            // The pauses between checks are minutes by then.
            fixture.server.skip(Duration.ofHours(1));
            int quiet = fixture.server.history(OrderFixture.id(REQUEST)).size();
            order.report(filled("4"));
            fixture.awaitFilled(order, "4");
            order.report(filled("10"));
            fixture.end(order);
            assertThat(commands(fixture, quiet))
                    .containsExactly(
                            EVENT_TYPE_TIMER_CANCELED,
                            EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES,
                            EVENT_TYPE_TIMER_STARTED,
                            EVENT_TYPE_MARKER_RECORDED,
                            EVENT_TYPE_TIMER_CANCELED,
                            EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES,
                            EVENT_TYPE_MARKER_RECORDED,
                            EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED);
        }
    }

    /** With one execution for each share that it counts. */
    private static ExecutionReport filled(String quantity) {
        Execution first = Samples.execution("e-1", "4");
        return quantity.equals("4")
                ? Samples.report(OrderStatus.PARTIALLY_FILLED, "4").withExecutions(List.of(first))
                : Samples.report(OrderStatus.FILLED, "10")
                        .withExecutions(List.of(first, Samples.execution("e-2", "6")));
    }

    private static List<EventType> commands(OrderFixture fixture, int after) {
        return fixture.server.history(OrderFixture.id(REQUEST)).stream()
                .skip(after)
                .map(HistoryEvent::getEventType)
                .filter(COMMANDS::contains)
                .toList();
    }
}
