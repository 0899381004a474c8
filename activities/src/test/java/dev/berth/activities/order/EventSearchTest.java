package dev.berth.activities.order;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static dev.berth.temporal.OrderSamples.NOON;
import static dev.berth.temporal.OrderSamples.filled;
import static dev.berth.temporal.OrderSamples.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.TestPostgres;
import dev.berth.activities.order.EventQuery.Position;
import dev.berth.activities.order.EventSearch.FoundEvent;
import dev.berth.routing.TestRedis;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.HistoryPosition;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What operators find in the log of all users. */
class EventSearchTest {
    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    @RegisterExtension
    private static final TestPostgres postgres = new TestPostgres();

    private static final EventSearch events = new EventSearch(postgres.client());

    @BeforeEach
    void writeEvents() {
        OrderState first = OrderState.accepted(order(ALICE, "o-1", NOON)).attempted(NOON);
        OrderState declined = first.because(FailureCode.DECLINED.because("Its lease_100% ran out."), after(1));
        OrderState again = declined.attempted(after(2));
        OrderState taken = again.dispatched(after(3));
        record(first, declined, again, taken, taken.reported(filled()));
        record(OrderState.accepted(order(BOB, "o-1", after(6)))
                .attempted(after(6))
                .became(OrderStatus.FAILED, FailureCode.NOT_TAKEN.because("No worker."), after(7)));
        new UserEventLog(postgres.client(), postgres.transactions())
                .addWorker(ALICE, after(8), "{\"state\":\"RECONNECTING\",\"epoch\":2,\"reason\":\"exit code 137\"}");
    }

    private static Instant after(int seconds) {
        return NOON.plusSeconds(seconds);
    }

    private static void record(OrderState... steps) {
        OrderRequest order = steps[0].request();
        new PostgresOrderRecords(postgres.client(), postgres.transactions(), redis.commands())
                .record(order.userId(), order.clientOrderId(), List.of(steps), List.of(), HistoryPosition.OUTSIDE);
    }

    private static EventQuery query(@Nullable UserId user, @Nullable EventKind kind, @Nullable String text) {
        return new EventQuery(user, null, null, kind, text, null, null, 100, null);
    }

    private static List<EventKind> kinds(EventQuery query) {
        return events.search(query).stream().map(FoundEvent::kind).toList();
    }

    @Test
    @Tag("D11")
    @DisplayName("Each step of an order has its kind, and stands with its worker's changes, newest first")
    void eachStepHasItsKind() {
        assertThat(kinds(query(ALICE, null, null)))
                .containsExactlyInAnyOrder(
                        EventKind.WORKER,
                        EventKind.COMPLETED,
                        EventKind.PROCESSING,
                        EventKind.RETRY,
                        EventKind.DECLINED,
                        EventKind.QUEUED);
        List<FoundEvent> all = events.search(query(null, null, null));
        assertThat(all).extracting(event -> event.position().at()).isSortedAccordingTo((a, b) -> b.compareTo(a));
        FoundEvent worker = events.search(query(null, EventKind.WORKER, null)).getFirst();
        assertThat(worker)
                .isEqualTo(new FoundEvent(
                        worker.position(), EventKind.WORKER, null, null, "RECONNECTING", "exit code 137", null, 2L));
        FoundEvent retry = events.search(query(null, EventKind.RETRY, null)).getFirst();
        assertThat(retry.attempts()).isEqualTo(2);
        assertThat(retry.reason()).isNull();
    }

    @Test
    @Tag("D11")
    @DisplayName("Events are found by user, order, symbol, kind, text and time, and by several of them")
    void filtersNarrow() {
        assertThat(kinds(query(BOB, null, null))).containsExactly(EventKind.FAILED);
        assertThat(kinds(query(null, null, "NOT-taken"))).containsExactly(EventKind.FAILED);
        assertThat(kinds(query(null, null, "lease_100%"))).containsExactly(EventKind.DECLINED);
        assertThat(kinds(query(null, null, "leaseX100"))).isEmpty();
        assertThat(kinds(query(null, null, "137"))).containsExactly(EventKind.WORKER);
        assertThat(kinds(query(BOB, null, "137"))).isEmpty();
        ClientOrderId id = new ClientOrderId("o-1");
        assertThat(kinds(new EventQuery(null, id, null, null, null, null, null, 100, null)))
                .hasSize(6)
                .doesNotContain(EventKind.WORKER);
        assertThat(kinds(new EventQuery(null, null, "AAPL", null, null, null, null, 100, null)))
                .hasSize(6);
        assertThat(kinds(new EventQuery(null, null, "MSFT", null, null, null, null, 100, null)))
                .isEmpty();
        assertThat(kinds(new EventQuery(ALICE, null, null, null, null, after(1), after(3), 100, null)))
                .containsExactly(EventKind.RETRY, EventKind.DECLINED);
    }

    @Test
    @Tag("D11")
    @DisplayName("Pages hold every event once, though events come in between")
    void pagesAreStable() {
        List<FoundEvent> whole = events.search(query(null, null, null));
        List<FoundEvent> paged = new ArrayList<>();
        Position last = null;
        List<FoundEvent> page;
        do {
            page = events.search(new EventQuery(null, null, null, null, null, null, null, 2, last));
            paged.addAll(page);
            last = page.isEmpty() ? last : page.getLast().position();
            record(OrderState.accepted(order(BOB, "new-" + paged.size(), after(100)))
                    .attempted(after(100)));
        } while (page.size() == 2);
        assertThat(paged).isEqualTo(whole);
    }
}
