package dev.berth.activities.webhook;

import dev.berth.activities.broker.StoredCiphertext;
import dev.berth.workflows.Json;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.OrderState;
import java.net.URI;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Webhooks and their undelivered messages in PostgreSQL, which adds a message with the order's
 * row.
 */
public final class WebhookStore {
    /** The event of a message that was asked for, and not caused by an order. */
    public static final String TEST = "webhook.test";

    private static final String PUT = """
            INSERT INTO webhooks (user_id, name, url, events, ciphertext, changed_at) VALUES (?, ?, ?, ?, ?, now())
            ON CONFLICT (user_id, name) DO UPDATE SET url = excluded.url, events = excluded.events,
              ciphertext = excluded.ciphertext, changed_at = excluded.changed_at
            """;

    private static final String OF = " WHERE user_id = ? AND name = ?";
    private static final String MESSAGES =
            "SELECT user_id, name, id, event, state, created_at, status, round, reason FROM webhook_messages";

    private final JdbcTemplate postgres;

    public WebhookStore(JdbcTemplate postgres) {
        this.postgres = postgres;
    }

    /**
     * A message that is not delivered.
     *
     * @param order null for a test
     * @param round grows when the message is sent again
     * @param reason why it was given up; null when it was not
     */
    public record Message(
            UserId userId,
            String webhook,
            String id,
            String event,
            @Nullable OrderState order,
            Instant createdAt,
            String status,
            int round,
            @Nullable String reason) {}

    /** Stores anew. */
    public void put(UserId userId, Webhook webhook, String ciphertext) {
        postgres.update(
                PUT,
                userId.value(),
                webhook.name(),
                webhook.url().toString(),
                webhook.events().toArray(String[]::new),
                ciphertext);
    }

    /** Removes the webhook and its messages; false when there is none. */
    public boolean remove(UserId userId, String name) {
        return postgres.update("DELETE FROM webhooks" + OF, userId.value(), name) > 0;
    }

    public List<Webhook> list(UserId userId) {
        return postgres.query(
                "SELECT name, url, events FROM webhooks WHERE user_id = ? ORDER BY name",
                WebhookStore::webhook,
                userId.value());
    }

    public Optional<Webhook> find(UserId userId, String name) {
        return postgres
                .query("SELECT name, url, events FROM webhooks" + OF, WebhookStore::webhook, userId.value(), name)
                .stream()
                .findFirst();
    }

    Optional<String> ciphertext(UserId userId, String name) {
        return postgres
                .queryForList("SELECT ciphertext FROM webhooks" + OF, String.class, userId.value(), name)
                .stream()
                .findFirst();
    }

    /** All that are stored. */
    public List<StoredCiphertext> ciphertexts() {
        return postgres.query("SELECT user_id, name, ciphertext FROM webhooks", (row, _) -> {
            String user = row.getString("user_id");
            String name = row.getString("name");
            String before = row.getString("ciphertext");
            return new StoredCiphertext(
                    new UserId(user),
                    HttpWebhookDelivery.owner(name),
                    before,
                    after -> postgres.update(
                            "UPDATE webhooks SET ciphertext = ?" + OF + " AND ciphertext = ?",
                            after,
                            user,
                            name,
                            before));
        });
    }

    /** Adds a message that a person asked for. */
    public String addTest(UserId userId, String name) {
        String id = "msg_" + UUID.randomUUID().toString().replace("-", "");
        postgres.update(
                "INSERT INTO webhook_messages (user_id, name, id, event, created_at, status, round)"
                        + " VALUES (?, ?, ?, ?, now(), 'WAITING', 0)",
                userId.value(),
                name,
                id,
                TEST);
        return id;
    }

    /** Messages that no workflow sends yet, oldest first. */
    public List<Message> waiting(int limit) {
        return postgres.query(
                MESSAGES + " WHERE status = 'WAITING' ORDER BY created_at LIMIT ?", WebhookStore::message, limit);
    }

    /** A workflow sends the message from now on. */
    public void sending(Message message) {
        postgres.update(
                "UPDATE webhook_messages SET status = 'SENDING'" + OF + " AND id = ? AND status = 'WAITING'",
                message.userId().value(),
                message.webhook(),
                message.id());
    }

    /** The undelivered messages of a webhook, oldest first. */
    public List<Message> undelivered(UserId userId, String name, int limit) {
        return postgres.query(
                MESSAGES + OF + " ORDER BY created_at LIMIT ?", WebhookStore::message, userId.value(), name, limit);
    }

    Optional<Message> find(UserId userId, String name, String id) {
        return postgres.query(MESSAGES + OF + " AND id = ?", WebhookStore::message, userId.value(), name, id).stream()
                .findFirst();
    }

    void delivered(UserId userId, String name, String id) {
        postgres.update("DELETE FROM webhook_messages" + OF + " AND id = ?", userId.value(), name, id);
    }

    void dead(UserId userId, String name, String id, String reason) {
        postgres.update(
                "UPDATE webhook_messages SET status = 'DEAD', reason = ?" + OF + " AND id = ?",
                reason,
                userId.value(),
                name,
                id);
    }

    /** Sends the given-up messages of a webhook again; returns how many. */
    public int redeliver(UserId userId, String name) {
        return postgres.update(
                "UPDATE webhook_messages SET status = 'WAITING', reason = NULL, round = round + 1" + OF
                        + " AND status = 'DEAD'",
                userId.value(),
                name);
    }

    public long countDead() {
        Long count = postgres.queryForObject("SELECT count(*) FROM webhook_messages WHERE status = 'DEAD'", Long.class);
        return count == null ? 0 : count;
    }

    /** Forgets given-up messages that are older than the attention list remembers. */
    public void removeOld() {
        postgres.update(
                "DELETE FROM webhook_messages WHERE status = 'DEAD' AND created_at < now() - interval '14 days'");
    }

    private static Webhook webhook(ResultSet row, int number) throws SQLException {
        Array events = row.getArray("events");
        return new Webhook(
                row.getString("name"), URI.create(row.getString("url")), List.of((String[]) events.getArray()));
    }

    private static Message message(ResultSet row, int number) throws SQLException {
        String state = row.getString("state");
        return new Message(
                new UserId(row.getString("user_id")),
                row.getString("name"),
                row.getString("id"),
                row.getString("event"),
                state == null ? null : Json.read(state, OrderState.class),
                row.getTimestamp("created_at").toInstant(),
                row.getString("status"),
                row.getInt("round"),
                row.getString("reason"));
    }
}
