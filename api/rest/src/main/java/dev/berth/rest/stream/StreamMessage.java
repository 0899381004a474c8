package dev.berth.rest.stream;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.berth.activities.order.UserEvent;
import dev.berth.rest.account.AccountOrdersView;
import dev.berth.rest.account.BalancesView;
import dev.berth.rest.account.PositionsView;
import dev.berth.rest.order.FillView;
import dev.berth.rest.order.OrderView;
import dev.berth.workflows.Json;
import dev.berth.workflows.broker.AccountKey;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message of {@code GET /v1/stream}, as {@code docs/asyncapi.yaml} describes it. A client that
 * has handled one connects again with {@code ?after=} its position.
 */
public sealed interface StreamMessage {
    long position();

    /** An order after one of its steps. */
    @JsonPropertyOrder({"position", "type"})
    record OrderMessage(long position, String type, int revision, Instant at, OrderView order)
            implements StreamMessage {}

    /** An execution of an order, or its bust. */
    @JsonPropertyOrder({"position", "type"})
    record FillMessage(long position, String type, String clientOrderId, FillView fill) implements StreamMessage {}

    /** The user's worker as it became; the first message of a stream without a position. */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @JsonPropertyOrder({"position", "type"})
    record WorkerMessage(long position, String type, Instant at, WorkerChange worker) implements StreamMessage {}

    /** A part of an account as it became; the other two parts are absent. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonPropertyOrder({"position", "type"})
    record AccountMessage(
            long position,
            String type,
            AccountKey account,
            @Nullable BalancesView balances,
            @Nullable PositionsView positions,
            @Nullable AccountOrdersView orders)
            implements StreamMessage {}

    /** The message of an event. */
    static StreamMessage of(UserEvent event, AccountMessages accounts) {
        return switch (event) {
            case UserEvent.OrderEvent it ->
                new OrderMessage(
                        it.position(),
                        "order",
                        it.order().revision(),
                        it.order().changedAt(),
                        OrderView.of(it.order()));
            case UserEvent.FillEvent it ->
                new FillMessage(it.position(), "fill", it.clientOrderId().value(), FillView.of(it.execution()));
            case UserEvent.AccountEvent it -> accounts.of(it);
            case UserEvent.WorkerEvent it ->
                new WorkerMessage(it.position(), "worker", it.at(), Json.read(it.worker(), WorkerChange.class));
        };
    }
}
