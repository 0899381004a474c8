package dev.berth.workflows.order;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.Hashes;
import dev.berth.workflows.Json;
import dev.berth.workflows.TraceContext;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An order as its user submitted it.
 *
 * @param limitPrice present exactly when the type has one
 * @param stopPrice present exactly when the type has one
 * @param priority 1 (first) to 5 among the user's own orders
 * @param dispatchWithin how long after {@code submittedAt} it may be sent to the venue
 * @param trace the span of the request that submitted it; absent when no request did
 * @param passesKillSwitches true for an order that closes a position, by a caller who may set kill
 *     switches; absent for every other
 */
public record OrderRequest(
        UserId userId,
        ClientOrderId clientOrderId,
        AccountKey account,
        String symbol,
        Side side,
        OrderType type,
        Decimal quantity,
        @Nullable Decimal limitPrice,
        @Nullable Decimal stopPrice,
        TimeInForce timeInForce,
        int priority,
        Duration dispatchWithin,
        Instant submittedAt,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable TraceContext trace,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Boolean passesKillSwitches) {

    public OrderRequest {
        require(quantity.isPositive(), "quantity must be greater than 0.");
        require(type.hasLimitPrice() == (limitPrice != null), priceRule("limitPrice", type, type.hasLimitPrice()));
        require(type.hasStopPrice() == (stopPrice != null), priceRule("stopPrice", type, type.hasStopPrice()));
        require(limitPrice == null || limitPrice.isPositive(), "limitPrice must be greater than 0.");
        require(stopPrice == null || stopPrice.isPositive(), "stopPrice must be greater than 0.");
        require(priority >= 1 && priority <= 5, "priority must be between 1 (first) and 5.");
        require(dispatchWithin.isPositive(), "dispatchWithin must be longer than zero, such as PT30S.");
        passesKillSwitches = Boolean.TRUE.equals(passesKillSwitches) ? Boolean.TRUE : null;
    }

    /** An order that no request submitted. */
    public OrderRequest(
            UserId userId,
            ClientOrderId clientOrderId,
            AccountKey account,
            String symbol,
            Side side,
            OrderType type,
            Decimal quantity,
            @Nullable Decimal limitPrice,
            @Nullable Decimal stopPrice,
            TimeInForce timeInForce,
            int priority,
            Duration dispatchWithin,
            Instant submittedAt) {
        this(
                userId,
                clientOrderId,
                account,
                symbol,
                side,
                type,
                quantity,
                limitPrice,
                stopPrice,
                timeInForce,
                priority,
                dispatchWithin,
                submittedAt,
                null,
                null);
    }

    /**
     * The same order under other terms. Kill switches stop it then: it may be more than what closes
     * the position.
     */
    public OrderRequest with(OrderTerms terms) {
        return with(terms, trace, terms.equals(OrderTerms.of(this)) ? passesKillSwitches : null);
    }

    /** The same order, submitted by this request. */
    public OrderRequest traced(TraceContext request) {
        return with(OrderTerms.of(this), request, passesKillSwitches);
    }

    /** The same order, which no kill switch stops while its terms stay. */
    public OrderRequest passingKillSwitches() {
        return with(OrderTerms.of(this), trace, true);
    }

    /** Whether no kill switch stops it. */
    public boolean mayPassKillSwitches() {
        return passesKillSwitches != null;
    }

    private OrderRequest with(OrderTerms terms, @Nullable TraceContext request, @Nullable Boolean passing) {
        return new OrderRequest(
                userId,
                clientOrderId,
                account,
                symbol,
                side,
                type,
                terms.quantity(),
                terms.limitPrice(),
                terms.stopPrice(),
                timeInForce,
                priority,
                dispatchWithin,
                submittedAt,
                request,
                passing);
    }

    /** The span of the whole order; its steps and its activities are the spans below it. */
    @JsonIgnore
    public Optional<TraceContext> span() {
        return Optional.ofNullable(trace).map(request -> request.child("order"));
    }

    /** Nothing is sent to the venue after this moment. */
    @JsonIgnore
    public Instant deadline() {
        return submittedAt.plus(dispatchWithin);
    }

    /** Equal for requests of equal content, to which time and trace do not belong. */
    public String contentHash() {
        List<Object> content = new ArrayList<>();
        Collections.addAll(
                content, userId, clientOrderId, account, symbol, side, type, quantity, limitPrice, stopPrice);
        Collections.addAll(content, timeInForce, priority, dispatchWithin);
        if (passesKillSwitches != null) {
            content.add("passes kill switches");
        }
        return Hashes.sha256(Json.write(content)).substring(0, 32);
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static String priceRule(String field, OrderType type, boolean needed) {
        return "A " + word(type) + " order " + (needed ? "needs " : "takes no ") + field + ".";
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
