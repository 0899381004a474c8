package dev.berth.activities.webhook;

import static dev.berth.activities.ActivitySamples.ALICE;
import static dev.berth.activities.ActivitySamples.BOB;
import static dev.berth.activities.ActivitySamples.filled;
import static dev.berth.activities.ActivitySamples.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.TestPostgres;
import dev.berth.activities.TestRedis;
import dev.berth.activities.order.PostgresOrderRecords;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.HistoryPosition;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import java.net.URI;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class WebhookStoreTest {
    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    @RegisterExtension
    private static final TestPostgres postgres = new TestPostgres();

    private static final PostgresOrderRecords records =
            new PostgresOrderRecords(postgres.client(), postgres.transactions(), redis.commands());

    private final WebhookStore store = new WebhookStore(postgres.client());
    private final Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);

    private void hook(UserId userId, String name, String... events) {
        store.put(userId, new Webhook(name, URI.create("https://example.com/" + name), List.of(events)), "sealed");
    }

    private static OrderState recorded(OrderState order) {
        records.record(
                order.request().userId(),
                order.request().clientOrderId(),
                List.of(order),
                List.of(),
                HistoryPosition.OUTSIDE);
        return order;
    }

    private OrderState failed(UserId userId, String id) {
        return OrderState.accepted(order(userId, id, now))
                .became(OrderStatus.FAILED, FailureCode.NOT_TAKEN.because("No worker took it."), now);
    }

    @Tag("D12")
    @DisplayName("Each event of an order makes one message for each webhook that wants it, and a repeat none")
    @Test
    void eventsMakeMessages() {
        hook(ALICE, "all", "order.final", "order.failed", "order.attention");
        hook(ALICE, "failures", "order.failed");
        hook(BOB, "other", "order.final");
        recorded(OrderState.accepted(order(ALICE, "open", now)));
        assertThat(store.waiting(10)).isEmpty();
        recorded(failed(ALICE, "lost"));
        recorded(failed(ALICE, "lost"));
        recorded(OrderState.accepted(order(ALICE, "good", now)).reported(filled()));
        assertThat(store.waiting(10))
                .extracting(message -> message.webhook() + " " + message.event())
                .containsExactlyInAnyOrder(
                        "all order.final",
                        "all order.failed",
                        "all order.attention",
                        "failures order.failed",
                        "all order.final");
        assertThat(WebhookBody.of(store.waiting(10).getFirst()))
                .contains("\"type\":\"order.", "\"clientOrderId\":\"lost\"", "\"status\":\"FAILED\"");
    }

    @Tag("D12")
    @DisplayName("A given-up message is kept and counted, and sent again under a new round with the same id")
    @Test
    void deadIsRedelivered() {
        hook(ALICE, "all", "order.final");
        String id = store.addTest(ALICE, "all");
        WebhookStore.Message first = store.waiting(10).getFirst();
        store.sending(first);
        assertThat(store.waiting(10)).isEmpty();
        store.dead(ALICE, "all", id, "The receiver answered 500");
        assertThat(store.countDead()).isOne();
        store.removeOld();
        assertThat(store.undelivered(ALICE, "all", 10).getFirst().reason()).isEqualTo("The receiver answered 500");
        assertThat(store.redeliver(BOB, "all")).isZero();
        assertThat(store.redeliver(ALICE, "all")).isOne();
        WebhookStore.Message again = store.waiting(10).getFirst();
        assertThat(again.id()).isEqualTo(id);
        assertThat(again.round()).isOne();
        assertThat(store.countDead()).isZero();
        assertThat(store.remove(ALICE, "all")).isTrue();
        assertThat(store.waiting(10)).isEmpty();
    }
}
