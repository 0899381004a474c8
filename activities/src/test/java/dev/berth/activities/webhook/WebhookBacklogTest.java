package dev.berth.activities.webhook;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.TestPostgres;
import dev.berth.activities.webhook.WebhookStore.Message;
import dev.berth.workflows.webhook.WebhookOwner;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.JdbcTemplate;

/** No owner of webhooks holds up another's messages. */
class WebhookBacklogTest {
    @RegisterExtension
    private static final TestPostgres postgres = new TestPostgres();

    private static final WebhookOwner OF_ALICE = WebhookOwner.of(ALICE);
    private static final WebhookOwner OF_BOB = WebhookOwner.of(BOB);

    private final WebhookStore store = new WebhookStore(postgres.client());
    private final WebhookBacklog backlog = new WebhookBacklog(postgres.client());

    @BeforeEach
    void storeWebhooks() {
        store.put(new Webhook(OF_ALICE, "a", URI.create("https://example.com/"), List.of("order.final")), "sealed");
        store.put(new Webhook(OF_ALICE, "b", URI.create("https://example.com/"), List.of("order.final")), "sealed");
        store.put(new Webhook(OF_BOB, "b", URI.create("https://example.com/"), List.of("order.final")), "sealed");
        store.put(
                new Webhook(WebhookOwner.FLEET, "ops", URI.create("https://example.com/"), List.of("alarm.firing")),
                "sealed");
    }

    /** Oldest first; each at another time. */
    private static void add(WebhookOwner owner, String webhook, String event, int count) {
        postgres.client()
                .update(
                        "INSERT INTO webhook_messages (user_id, name, id, event, created_at, status, round)"
                                + " SELECT ?, ?, ? || number, ?, now() - interval '1 hour'"
                                + " + number * interval '1 second', 'WAITING', 0 FROM generate_series(1, ?) number",
                        owner.value(),
                        webhook,
                        event + "-",
                        event,
                        count);
    }

    private List<WebhookOwner> owners(int limit) {
        return backlog.next(limit).stream().map(Message::owner).toList();
    }

    private static int count(String status) {
        Integer count = postgres.client()
                .queryForObject("SELECT count(*) FROM webhook_messages WHERE status = ?", Integer.class, status);
        return count == null ? 0 : count;
    }

    @Tag("X32")
    @Tag("D12")
    @DisplayName("Owners take turns, however many messages one has; what no order caused comes first")
    @Test
    void ownersTakeTurns() {
        add(OF_ALICE, "a", "order.final", 900);
        add(WebhookOwner.FLEET, "ops", "order.failed", 900);
        add(OF_BOB, "b", "order.final", 2);
        add(WebhookOwner.FLEET, "ops", "alarm.firing", 2);
        List<Message> next = backlog.next(8);
        assertThat(next.subList(0, 2)).extracting(Message::event).containsOnly("alarm.firing");
        assertThat(owners(8).subList(2, 8))
                .containsExactlyInAnyOrder(OF_ALICE, OF_ALICE, OF_BOB, OF_BOB, WebhookOwner.FLEET, WebhookOwner.FLEET);
    }

    @Tag("X32")
    @DisplayName(
            "An owner has a share of the first attempts, over all of its webhooks; a delivery gives its place back,"
                    + " and so does the end of the first attempt")
    @Test
    void firstAttemptsAreShared() {
        add(OF_ALICE, "a", "order.final", 50);
        add(OF_ALICE, "b", "order.final", 50);
        List<Message> first = backlog.next(100);
        assertThat(first).hasSize(WebhookBacklog.MAX_FIRST_ATTEMPTS);
        first.forEach(backlog::started);
        assertThat(backlog.next(100)).isEmpty();
        add(OF_BOB, "b", "order.final", 1);
        assertThat(owners(100)).containsExactly(OF_BOB);
        store.delivered(OF_ALICE, first.getFirst().webhook(), first.getFirst().id());
        assertThat(owners(100)).containsExactlyInAnyOrder(OF_ALICE, OF_BOB);
        postgres.client().update("UPDATE webhook_messages SET sent_at = sent_at - interval '21 seconds'");
        assertThat(backlog.next(100)).hasSize(WebhookBacklog.MAX_FIRST_ATTEMPTS + 1);
    }

    @Tag("X32")
    @DisplayName("An owner has a bounded number of workflows that try again and again; alarms do not count against it")
    @Test
    void workflowsAreBounded() {
        add(OF_ALICE, "a", "order.final", WebhookBacklog.MAX_SENDING + 3);
        add(WebhookOwner.FLEET, "ops", "order.failed", WebhookBacklog.MAX_SENDING + 3);
        postgres.client()
                .update("UPDATE webhook_messages SET status = 'SENDING', sent_at = now() - interval '1 hour'"
                        + " WHERE id NOT LIKE '%-1' AND id NOT LIKE '%-2' AND id NOT LIKE '%-3'");
        assertThat(backlog.next(100)).isEmpty();
        add(WebhookOwner.FLEET, "ops", "alarm.firing", 30);
        assertThat(backlog.next(100)).hasSize(30);
    }

    @Tag("X32")
    @DisplayName("A flood is counted at once, also while PostgreSQL's statistics know of given-up messages alone")
    @Test
    void unexpectedFloodIsCounted() {
        add(OF_ALICE, "a", "order.old", 40);
        postgres.client().update("UPDATE webhook_messages SET status = 'DEAD'");
        postgres.owner().execute("ANALYZE webhook_messages");
        add(OF_ALICE, "a", "order.final", 400);
        add(OF_BOB, "b", "order.final", 400);
        JdbcTemplate impatient = new JdbcTemplate(postgres.database());
        impatient.setQueryTimeout(2);
        new WebhookBacklog(impatient).dropExcess();
        assertThat(count("WAITING")).isEqualTo(800);
    }

    @Tag("X32")
    @DisplayName("Beyond a thousand the oldest waiting messages of an owner are given up, and the oldest given-up ones"
            + " forgotten; alarms stay")
    @Test
    void oldestAreDropped() {
        add(OF_BOB, "b", "order.final", 10);
        add(WebhookOwner.FLEET, "ops", "alarm.firing", 10);
        backlog.dropExcess();
        assertThat(count("DEAD")).isZero();
        add(OF_ALICE, "a", "order.final", WebhookBacklog.MAX_KEPT + 200);
        add(WebhookOwner.FLEET, "ops", "order.failed", WebhookBacklog.MAX_KEPT + 1);
        backlog.dropExcess();
        assertThat(count("WAITING")).isEqualTo(2 * WebhookBacklog.MAX_KEPT + 20);
        assertThat(count("DEAD")).isEqualTo(201);
        assertThat(store.undelivered(OF_ALICE, "a", 1).getFirst())
                .extracting(Message::id, Message::reason)
                .containsExactly("order.final-1", "more than 1000 messages waited");

        postgres.client().update("UPDATE webhook_messages SET status = 'DEAD' WHERE user_id = ?", ALICE.value());
        backlog.dropExcess();
        assertThat(count("DEAD")).isEqualTo(WebhookBacklog.MAX_KEPT + 1);
        assertThat(store.undelivered(OF_ALICE, "a", 1).getFirst().id()).isEqualTo("order.final-201");
    }
}
