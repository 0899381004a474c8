package dev.berth.acceptance.rest;

import static dev.berth.acceptance.rest.JsonRecords.required;

import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An order as the API shows it, or one step of it. An answer with an error has none of the fields.
 * A field that every order has is required: to read it where it is absent is an
 * {@link AssertionError}.
 *
 * @param userId in the lists of operators
 * @param revision of a step
 * @param at when a step happened
 */
public record PlacedOrder(
        @Nullable String userId,
        @Nullable Integer revision,
        @Nullable Instant at,
        @Nullable String clientOrderId,
        @Nullable String status,
        @Nullable String reason,
        @Nullable String filledQuantity,
        @Nullable String averagePrice,
        @Nullable String venueOrderId,
        @Nullable String venueStatus,
        @Nullable Instant submittedAt,
        @Nullable Instant dispatchedAt,
        @Nullable Instant acknowledgedAt,
        @Nullable Instant finalAt,
        @Nullable Integer attempts,
        @Nullable Long workerEpoch,
        @Nullable Account account,
        @Nullable String symbol,
        @Nullable String side,
        @Nullable String type,
        @Nullable String quantity,
        @Nullable String limitPrice,
        @Nullable String stopPrice,
        @Nullable String timeInForce,
        @Nullable Integer priority,
        @Nullable String dispatchWithin,
        @Nullable String traceId) {

    /** The key of an account. */
    public record Account(String broker, String market, String environment, String accountId) {}

    /** An execution. */
    public record Fill(
            String executionId, int orderVersion, String quantity, String price, Instant at, boolean busted) {}

    /** Whether the status is one of these. */
    public boolean isIn(String... statuses) {
        return Arrays.asList(statuses).contains(status);
    }

    @Override
    public String clientOrderId() {
        return required(clientOrderId, "clientOrderId");
    }

    @Override
    public String filledQuantity() {
        return required(filledQuantity, "filledQuantity");
    }

    @Override
    public Instant submittedAt() {
        return required(submittedAt, "submittedAt");
    }

    @Override
    public Integer attempts() {
        return required(attempts, "attempts");
    }

    @Override
    public Account account() {
        return required(account, "account");
    }
}
