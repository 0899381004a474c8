package dev.berth.remote;

import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One broker, as its adapter on this machine sees it. Called on threads of the SDK, several at
 * once. Accounts are {@code broker/market/environment/accountId}. Every method may throw
 * {@link RefusedException}; any exception that a method does not name means that the outcome is
 * unknown.
 */
public interface Broker {
    /** FIX OrdStatus, of the order at its venue. */
    enum Status {
        NEW,
        PARTIALLY_FILLED,
        PENDING_CANCEL,
        PENDING_REPLACE,
        FILLED,
        CANCELED,
        REJECTED,
        EXPIRED
    }

    /**
     * An order to send. The broker has to remember the client order id: Berth asks for the order by
     * it.
     *
     * @param side {@code buy} or {@code sell}
     * @param type {@code market}, {@code limit}, {@code stop} or {@code stop_limit}
     * @param timeInForce {@code day}, {@code gtc}, {@code ioc} or {@code fok}
     */
    record Order(
            String clientOrderId,
            String symbol,
            String side,
            String type,
            BigDecimal quantity,
            @Nullable BigDecimal limitPrice,
            @Nullable BigDecimal stopPrice,
            String timeInForce) {}

    /**
     * The version {@code next} takes the place of {@code current}.
     *
     * @param quantity of {@code next} alone
     */
    record Replacement(
            String current,
            String next,
            BigDecimal quantity,
            @Nullable BigDecimal limitPrice,
            @Nullable BigDecimal stopPrice) {}

    /**
     * Why the broker refused.
     *
     * @param code stable, such as {@code refused-40310000}
     */
    record Reason(String code, String text) {}

    /**
     * One fill, or the bust of one.
     *
     * @param executionId the broker's own, unique for the order
     * @param fee null when the broker does not tell it with the execution
     */
    record Execution(
            String executionId,
            BigDecimal quantity,
            BigDecimal price,
            Instant at,
            boolean busted,
            @Nullable Fee fee) {
        /** Without a fee. */
        public Execution(String executionId, BigDecimal quantity, BigDecimal price, Instant at, boolean busted) {
            this(executionId, quantity, price, at, busted, null);
        }
    }

    /**
     * What the broker took for one execution.
     *
     * @param amount negative when the broker paid it
     * @param currency such as {@code USD}, at most 16 characters
     */
    record Fee(BigDecimal amount, String currency) {}

    /**
     * One order version at its venue. Quantities are totals of this version, not steps.
     *
     * @param venueStatus in the broker's own words
     * @param reason present when the broker refused
     */
    record Report(
            String clientOrderId,
            Status status,
            String venueStatus,
            @Nullable String venueOrderId,
            @Nullable BigDecimal quantity,
            BigDecimal filledQuantity,
            @Nullable BigDecimal averagePrice,
            @Nullable Reason reason,
            @Nullable Instant updatedAt,
            List<Execution> executions) {
        public Report {
            executions = List.copyOf(executions);
        }
    }

    /** Nothing reached the broker, which is certain: the order may be sent again. */
    final class NotSentException extends IOException {
        private static final long serialVersionUID = 1L;

        public NotSentException(String message) {
            super(message);
        }
    }

    /** The broker rejects its credentials. No retry helps. */
    final class RefusedException extends IOException {
        private static final long serialVersionUID = 1L;

        public RefusedException(String message) {
            super(message);
        }
    }

    /**
     * Called once, before the first connection.
     *
     * @param onReport to be called with the account and each report that the broker pushes,
     *     from any thread
     */
    void start(BiConsumer<String, Report> onReport);

    /**
     * Sends the order once, and returns the broker's first answer: a rejection is a report with
     * {@link Status#REJECTED}. For a duplicate client order id, returns the order that the broker
     * has.
     *
     * @throws NotSentException when nothing reached the broker
     */
    Report send(String account, Order order) throws IOException, InterruptedException;

    /** Looks an order version up; empty when the broker does not have it now. */
    Optional<Report> find(String account, String clientOrderId) throws IOException, InterruptedException;

    /** As {@link #find}, with every execution of this version, with the ids of the reports. */
    Optional<Report> findExecutions(String account, String clientOrderId) throws IOException, InterruptedException;

    /**
     * Cancels, and returns the order after that: unchanged when final; as it was, with a reason of
     * the code {@code not-canceled}, when the broker refuses; empty when unknown.
     */
    Optional<Report> cancel(String account, String clientOrderId) throws IOException, InterruptedException;

    /**
     * Replaces an order version, and returns the next one; if that exists already, returns it. A
     * refusal is a report of the next version with {@link Status#REJECTED}.
     *
     * @throws NotSentException when nothing reached the broker
     */
    Report replace(String account, Replacement replacement) throws IOException, InterruptedException;

    /** Whether any order of the account works at the venue. */
    boolean hasWorkingOrders(String account) throws IOException, InterruptedException;

    /** Checks with a small request whether the broker answers. */
    void ping(String account) throws IOException, InterruptedException;
}
