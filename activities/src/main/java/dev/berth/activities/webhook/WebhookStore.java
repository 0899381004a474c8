package dev.berth.activities.webhook;

import dev.berth.activities.broker.StoredCiphertext;
import dev.berth.workflows.UserId;
import dev.berth.workflows.webhook.WebhookOwner;
import java.net.URI;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Webhooks and their undelivered messages in PostgreSQL, which adds a message with the row that it
 * is about.
 */
public final class WebhookStore {
    /** The event of a message that was asked for, and not caused by an order. */
    public static final String TEST = "webhook.test";

    private static final String PUT = """
            INSERT INTO webhooks (user_id, name, url, events, ciphertext, changed_at) VALUES (?, ?, ?, ?, ?, now())
            ON CONFLICT (user_id, name) DO UPDATE SET url = excluded.url, events = excluded.events,
              ciphertext = excluded.ciphertext, changed_at = excluded.changed_at
            """;

    static final String OF = " WHERE user_id = ? AND name = ?";
    private static final String MESSAGES =
            "SELECT user_id, name, id, event, state, created_at, status, round, reason FROM webhook_messages";

    private final JdbcTemplate postgres;

    public WebhookStore(JdbcTemplate postgres) {
        this.postgres = postgres;
    }

    /**
     * A message that is not delivered.
     *
     * @param state JSON of the order, or of what else the event is about; null for a test
     * @param round grows when the message is sent again
     * @param reason why it was given up; null when it was not
     */
    public record Message(
            WebhookOwner owner,
            String webhook,
            String id,
            String event,
            @Nullable String state,
            Instant createdAt,
            String status,
            int round,
            @Nullable String reason) {}

    /** Stores anew. */
    public void put(Webhook webhook, String ciphertext) {
        postgres.update(
                PUT,
                webhook.owner().value(),
                webhook.name(),
                webhook.url().toString(),
                webhook.events().toArray(String[]::new),
                ciphertext);
    }

    /** Removes the webhook and its messages; false when there is none. */
    public boolean remove(WebhookOwner owner, String name) {
        return postgres.update("DELETE FROM webhooks" + OF, owner.value(), name) > 0;
    }

    public List<Webhook> list(WebhookOwner owner) {
        return postgres.query(
                "SELECT user_id, name, url, events FROM webhooks WHERE user_id = ? ORDER BY name",
                WebhookStore::webhook,
                owner.value());
    }

    public Optional<Webhook> find(WebhookOwner owner, String name) {
        return postgres
                .query(
                        "SELECT user_id, name, url, events FROM webhooks" + OF,
                        WebhookStore::webhook,
                        owner.value(),
                        name)
                .stream()
                .findFirst();
    }

    Optional<String> ciphertext(WebhookOwner owner, String name) {
        return postgres.queryForList("SELECT ciphertext FROM webhooks" + OF, String.class, owner.value(), name).stream()
                .findFirst();
    }

    /** All that are stored. */
    public List<StoredCiphertext> ciphertexts() {
        return postgres.query("SELECT user_id, name, ciphertext FROM webhooks", (row, _) -> {
            WebhookOwner owner = new WebhookOwner(row.getString("user_id"));
            String name = row.getString("name");
            String before = row.getString("ciphertext");
            return new StoredCiphertext(
                    HttpWebhookDelivery.user(owner),
                    HttpWebhookDelivery.account(owner, name),
                    before,
                    after -> postgres.update(
                            "UPDATE webhooks SET ciphertext = ?" + OF + " AND ciphertext = ?",
                            after,
                            owner.value(),
                            name,
                            before));
        });
    }

    /** Adds a message that a person asked for. */
    public String addTest(WebhookOwner owner, String name) {
        String id = "msg_" + UUID.randomUUID().toString().replace("-", "");
        postgres.update(
                "INSERT INTO webhook_messages (user_id, name, id, event, created_at, status, round)"
                        + " VALUES (?, ?, ?, ?, now(), 'WAITING', 0)",
                owner.value(),
                name,
                id,
                TEST);
        return id;
    }

    /**
     * Tells the operators' webhooks of an alarm.
     *
     * @param event {@link Webhook#ALARM_FIRING} or {@link Webhook#ALARM_RESOLVED}
     * @param alarm JSON
     */
    public void addAlarm(String event, String alarm) {
        postgres.query(
                "SELECT webhook_notify_fleet(?, ?, ?::jsonb)",
                _ -> {},
                event,
                UUID.randomUUID().toString(),
                alarm);
    }

    /**
     * Tells the operators' webhooks of each user who was not among those of the last minute.
     *
     * @param users all whose workers die too often now
     */
    public void putWorkersInAttention(Set<UserId> users) {
        String[] names = users.stream().map(UserId::value).sorted().toArray(String[]::new);
        postgres.update(
                "INSERT INTO workers_in_attention (user_id, since, last_seen_at) SELECT unnest(?), now(), now()"
                        + " ON CONFLICT (user_id) DO UPDATE SET last_seen_at = excluded.last_seen_at",
                (Object) names);
        postgres.update("DELETE FROM workers_in_attention WHERE last_seen_at < now() - interval '1 minute'");
    }

    /** The undelivered messages of a webhook, oldest first. */
    public List<Message> undelivered(WebhookOwner owner, String name, int limit) {
        return postgres.query(
                MESSAGES + OF + " ORDER BY created_at LIMIT ?", WebhookStore::message, owner.value(), name, limit);
    }

    Optional<Message> find(WebhookOwner owner, String name, String id) {
        return postgres.query(MESSAGES + OF + " AND id = ?", WebhookStore::message, owner.value(), name, id).stream()
                .findFirst();
    }

    void delivered(WebhookOwner owner, String name, String id) {
        postgres.update("DELETE FROM webhook_messages" + OF + " AND id = ?", owner.value(), name, id);
    }

    void dead(WebhookOwner owner, String name, String id, String reason) {
        postgres.update(
                "UPDATE webhook_messages SET status = 'DEAD', reason = ?" + OF + " AND id = ?",
                reason,
                owner.value(),
                name,
                id);
    }

    /** Sends the given-up messages of a webhook again; returns how many. */
    public int redeliver(WebhookOwner owner, String name) {
        return postgres.update(
                "UPDATE webhook_messages SET status = 'WAITING', reason = NULL, sent_at = NULL, round = round + 1" + OF
                        + " AND status = 'DEAD'",
                owner.value(),
                name);
    }

    /** Without alarms, or the alarm on this count would be told as one more of them. */
    public long countDead() {
        Long count = postgres.queryForObject(
                "SELECT count(*) FROM webhook_messages WHERE status = 'DEAD' AND event NOT LIKE 'alarm.%'", Long.class);
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
                new WebhookOwner(row.getString("user_id")),
                row.getString("name"),
                URI.create(row.getString("url")),
                List.of((String[]) events.getArray()));
    }

    static Message message(ResultSet row, int number) throws SQLException {
        return new Message(
                new WebhookOwner(row.getString("user_id")),
                row.getString("name"),
                row.getString("id"),
                row.getString("event"),
                row.getString("state"),
                row.getTimestamp("created_at").toInstant(),
                row.getString("status"),
                row.getInt("round"),
                row.getString("reason"));
    }
}
