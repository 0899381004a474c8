package dev.berth.activities.webhook;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static dev.berth.temporal.OrderSamples.filled;
import static dev.berth.temporal.OrderSamples.order;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.activities.TestPostgres;
import dev.berth.activities.order.PostgresOrderRecords;
import dev.berth.routing.TestRedis;
import dev.berth.workflows.Json;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.HistoryPosition;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.risk.KillSwitch;
import dev.berth.workflows.webhook.WebhookOwner;
import java.net.URI;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
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

    private static final WebhookOwner OF_ALICE = WebhookOwner.of(ALICE);
    private static final WebhookOwner OF_BOB = WebhookOwner.of(BOB);

    private final WebhookStore store = new WebhookStore(postgres.client());
    private final WebhookBacklog backlog = new WebhookBacklog(postgres.client());
    private final Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);

    private void hook(WebhookOwner owner, String name, String... events) {
        store.put(new Webhook(owner, name, URI.create("https://example.com/" + name), List.of(events)), "sealed");
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
        hook(OF_ALICE, "all", "order.final", "order.failed", "order.attention");
        hook(OF_ALICE, "failures", "order.failed");
        hook(OF_BOB, "other", "order.final");
        recorded(OrderState.accepted(order(ALICE, "open", now)));
        assertThat(backlog.next(10)).isEmpty();
        recorded(failed(ALICE, "lost"));
        recorded(failed(ALICE, "lost"));
        recorded(OrderState.accepted(order(ALICE, "good", now)).reported(filled()));
        assertThat(backlog.next(10))
                .extracting(message -> message.webhook() + " " + message.event())
                .containsExactlyInAnyOrder(
                        "all order.final",
                        "all order.failed",
                        "all order.attention",
                        "failures order.failed",
                        "all order.final");
        assertThat(WebhookBody.of(backlog.next(10).getFirst()))
                .contains("\"type\":\"order.", "\"clientOrderId\":\"lost\"", "\"status\":\"FAILED\"");
    }

    @Tag("D12")
    @DisplayName("The operators are told of every user's order, of kill switches, of workers that die too often once,"
            + " and of alarms; a user is told of none of these")
    @Test
    void operatorsAreTold() {
        hook(WebhookOwner.FLEET, "ops", "order.failed", "kill_switch.changed", "worker.attention", "alarm.firing");
        hook(OF_ALICE, "mine", "order.failed");
        recorded(failed(ALICE, "lost"));
        recorded(failed(BOB, "lost"));
        KillSwitch all = new KillSwitch(KillSwitch.Level.ALL, null, true, "bad prices", "jane", now);
        postgres.client()
                .update(
                        "INSERT INTO kill_switches (version, name, state, changed_at) VALUES (1, ?, ?::jsonb, now())",
                        all.name(),
                        Json.write(all));
        store.putWorkersInAttention(Set.of(ALICE));
        store.putWorkersInAttention(Set.of(ALICE, BOB));
        store.addAlarm("alarm.firing", "{\"labels\":{\"alertname\":\"BerthDown\"}}");
        store.addAlarm("alarm.resolved", "{}");
        assertThatThrownBy(() -> hook(WebhookOwner.FLEET, "all", "order.final"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(backlog.next(20))
                .extracting(message -> message.owner() + " " + message.event())
                .containsExactlyInAnyOrder(
                        "alice order.failed",
                        "@fleet order.failed",
                        "@fleet order.failed",
                        "@fleet kill_switch.changed",
                        "@fleet worker.attention",
                        "@fleet worker.attention",
                        "@fleet alarm.firing");
        assertThat(backlog.next(20).stream().map(WebhookBody::of))
                .anyMatch(body -> body.contains("\"type\":\"kill_switch.changed\"") && body.contains("bad prices"))
                .anyMatch(body -> body.contains("\"type\":\"worker.attention\"") && body.contains("\"userId\""))
                .anyMatch(body -> body.contains("\"type\":\"alarm.firing\"") && body.contains("BerthDown"));

        store.putWorkersInAttention(Set.of());
        store.putWorkersInAttention(Set.of(BOB));
        assertThat(workersTold()).isEqualTo(2);
        postgres.owner().update("UPDATE workers_in_attention SET last_seen_at = last_seen_at - interval '2 minutes'");
        store.putWorkersInAttention(Set.of());
        store.putWorkersInAttention(Set.of(BOB));
        assertThat(workersTold()).isEqualTo(3);
        assertThatThrownBy(() -> hook(OF_ALICE, "mine", "kill_switch.changed"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("order.attention");
    }

    private long workersTold() {
        return store.undelivered(WebhookOwner.FLEET, "ops", 20).stream()
                .filter(message -> message.event().equals("worker.attention"))
                .count();
    }

    @Tag("D12")
    @DisplayName("A given-up message is kept and counted, and sent again under a new round with the same id")
    @Test
    void deadIsRedelivered() {
        hook(OF_ALICE, "all", "order.final");
        String id = store.addTest(OF_ALICE, "all");
        WebhookStore.Message first = backlog.next(10).getFirst();
        backlog.started(first);
        assertThat(backlog.next(10)).isEmpty();
        store.dead(OF_ALICE, "all", id, "The receiver answered 500");
        assertThat(store.countDead()).isOne();
        store.removeOld();
        assertThat(store.undelivered(OF_ALICE, "all", 10).getFirst().reason()).isEqualTo("The receiver answered 500");
        assertThat(store.redeliver(OF_BOB, "all")).isZero();
        assertThat(store.redeliver(OF_ALICE, "all")).isOne();
        WebhookStore.Message again = backlog.next(10).getFirst();
        assertThat(again.id()).isEqualTo(id);
        assertThat(again.round()).isOne();
        assertThat(store.countDead()).isZero();
        assertThat(store.remove(OF_ALICE, "all")).isTrue();
        assertThat(backlog.next(10)).isEmpty();
    }
}
