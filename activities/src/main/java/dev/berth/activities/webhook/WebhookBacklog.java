package dev.berth.activities.webhook;

import dev.berth.activities.webhook.WebhookStore.Message;
import java.time.Duration;
import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The messages that wait for a workflow, and whose turn it is. No owner takes more than a share of
 * the attempts, and none keeps more than a fixed number of messages.
 */
public final class WebhookBacklog {
    /** The most messages of one owner that wait, and that were given up. */
    static final int MAX_KEPT = 1_000;
    /** Messages of one owner that workflows try at once, most of them in a pause. */
    static final int MAX_SENDING = 500;
    /**
     * The waiting messages that were started within {@link #FIRST_ATTEMPT}: an owner's share of all
     * attempts.
     */
    static final int MAX_FIRST_ATTEMPTS = 20;
    /** Longer than an attempt, so that a receiver that hangs is counted until it is cut off. */
    private static final Duration FIRST_ATTEMPT = Duration.ofSeconds(20);

    /** No user makes these, so they need not wait behind the fleet's messages of orders. */
    private static final String URGENT = "(user_id = '@fleet' AND event NOT LIKE 'order.%')";

    /** Each owner has one turn after the other, the oldest message first. */
    private static final String NEXT = """
            SELECT message.* FROM (
              SELECT user_id, urgent, least(
                ? - (SELECT count(*) FROM webhook_messages sent WHERE sent.user_id = waiting.user_id
                     AND sent.status = 'SENDING' AND sent.sent_at > now() - make_interval(secs => ?)),
                ? - (SELECT count(*) FROM webhook_messages sent WHERE sent.user_id = waiting.user_id
                     AND sent.status = 'SENDING')) AS places
              FROM (SELECT DISTINCT user_id, $URGENT AS urgent FROM webhook_messages WHERE status = 'WAITING') waiting
            ) owner CROSS JOIN LATERAL (
              SELECT user_id, name, id, event, state, created_at, status, round, reason,
                owner.urgent, row_number() OVER (ORDER BY created_at) AS turn
              FROM webhook_messages
              WHERE user_id = owner.user_id AND status = 'WAITING' AND $URGENT = owner.urgent
              ORDER BY created_at LIMIT CASE WHEN owner.urgent THEN ? ELSE greatest(owner.places, 0) END
            ) message ORDER BY urgent DESC, turn, created_at LIMIT ?
            """.replace("$URGENT", URGENT);

    /**
     * Rows of a status beyond the newest ones of their owner. Arrays, since PostgreSQL reads those
     * once, while it may read a joined query again for each row of a table that it takes for empty.
     */
    private static final String EXCESS = """
            ctid = ANY (ARRAY(
              SELECT place FROM (
                SELECT ctid AS place, row_number() OVER (PARTITION BY user_id, $URGENT ORDER BY created_at DESC) AS rank
                FROM webhook_messages WHERE status = '$STATUS' AND user_id = ANY (ARRAY(
                  SELECT user_id FROM webhook_messages WHERE status = '$STATUS' GROUP BY user_id HAVING count(*) > $MAX))
              ) ranked WHERE rank > $MAX)) AND status = '$STATUS'
            """.replace("$URGENT", URGENT).replace("$MAX", Integer.toString(MAX_KEPT));

    private final JdbcTemplate postgres;

    public WebhookBacklog(JdbcTemplate postgres) {
        this.postgres = postgres;
    }

    /**
     * Messages that no workflow sends yet and that may be sent: those of the operators that no
     * order caused, then the owners in turns, each within its share.
     *
     * @param limit messages at most
     */
    public List<Message> next(int limit) {
        return postgres.query(
                NEXT, WebhookStore::message, MAX_FIRST_ATTEMPTS, FIRST_ATTEMPT.toSeconds(), MAX_SENDING, limit, limit);
    }

    /**
     * Gives the oldest waiting messages of each owner up that are beyond {@value #MAX_KEPT},
     * and forgets the oldest given-up ones beyond as many. Not when a message is added: the order
     * that it is about must not wait for a count. The newest stay, since they tell the present.
     */
    public void dropExcess() {
        postgres.update(
                "UPDATE webhook_messages SET status = 'DEAD', reason = ? WHERE " + EXCESS.replace("$STATUS", "WAITING"),
                "more than " + MAX_KEPT + " messages waited");
        postgres.update("DELETE FROM webhook_messages WHERE " + EXCESS.replace("$STATUS", "DEAD"));
    }

    /** A workflow sends the message from this time on. Repeatable. */
    public void started(Message message) {
        postgres.update(
                "UPDATE webhook_messages SET status = 'SENDING', sent_at = now()" + WebhookStore.OF
                        + " AND id = ? AND status = 'WAITING' AND round = ?",
                message.owner().value(),
                message.webhook(),
                message.id(),
                message.round());
    }
}
