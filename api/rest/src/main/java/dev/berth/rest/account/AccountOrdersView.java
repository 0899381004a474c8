package dev.berth.rest.account;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.berth.activities.account.AccountReadModel.Reported;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.account.AccountOrder;
import dev.berth.workflows.order.OrderStatus;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The open orders of an account, made here or elsewhere, newest first.
 *
 * @param asOf the broker answered later than this
 */
public record AccountOrdersView(Instant asOf, List<AccountOrderView> items) {

    /** Who made an order. */
    public enum Origin {
        /** This API: {@code GET /v1/orders/{clientOrderId}} has it. */
        @JsonProperty("berth")
        BERTH,
        /** Another application. Berth shows it and can cancel it, and nothing more. */
        @JsonProperty("foreign")
        FOREIGN
    }

    /**
     * One order. Quantities and prices are decimal strings; side, type and time in force are the
     * venue's words.
     *
     * @param clientOrderId of an order of Berth: the one that it was submitted under
     * @param parentOrderId the venue's id of the order whose exit this is
     * @param role what it is to its parent
     */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    public record AccountOrderView(
            String venueOrderId,
            @Nullable String clientOrderId,
            Origin origin,
            String symbol,
            String side,
            String type,
            String timeInForce,
            @Nullable String quantity,
            String filledQuantity,
            @Nullable String limitPrice,
            @Nullable String stopPrice,
            @Nullable String averagePrice,
            OrderStatus status,
            String venueStatus,
            @Nullable Instant submittedAt,
            @Nullable String parentOrderId,
            @Nullable String role) {
        private static AccountOrderView of(AccountOrder order, Set<ClientOrderId> own) {
            Optional<ClientOrderId> ownId = id(order).filter(own::contains);
            return new AccountOrderView(
                    order.venueOrderId(),
                    ownId.map(ClientOrderId::value).orElse(order.clientOrderId()),
                    ownId.isPresent() ? Origin.BERTH : Origin.FOREIGN,
                    order.symbol(),
                    order.side(),
                    order.type(),
                    order.timeInForce(),
                    Objects.toString(order.quantity(), null),
                    order.filledQuantity().toString(),
                    Objects.toString(order.limitPrice(), null),
                    Objects.toString(order.stopPrice(), null),
                    Objects.toString(order.averagePrice(), null),
                    order.status(),
                    order.venueStatus(),
                    order.submittedAt(),
                    order.parentOrderId(),
                    order.role());
        }
    }

    /**
     * As its user sees it.
     *
     * @param own the client order ids that are Berth's
     */
    public static AccountOrdersView of(Reported<List<AccountOrder>> reported, Set<ClientOrderId> own) {
        return new AccountOrdersView(
                reported.asOf(),
                reported.content().stream()
                        .map(order -> AccountOrderView.of(order, own))
                        .toList());
    }

    /** Under which Berth may have submitted it; empty for an id of another form. */
    static Optional<ClientOrderId> id(AccountOrder order) {
        String id = order.clientOrderId();
        try {
            return id == null
                    ? Optional.empty()
                    : Optional.of(VenueClientOrderId.parse(id).order());
        } catch (IllegalArgumentException foreign) {
            return Optional.empty();
        }
    }
}
