package dev.berth.workflows.position;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.account.AccountOrder;
import dev.berth.workflows.account.AccountPosition;
import dev.berth.workflows.account.HeldPositions;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.Side;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a close knows of an account.
 *
 * @param begunAt nothing in it is older
 * @param unanswered as of before the holdings: what the venue answered in between is counted there,
 *     too
 */
record AccountSnapshot(Instant begunAt, List<UnansweredOrder> unanswered, HeldPositions holdings) {

    List<AccountPosition> positions(Set<String> without) {
        return holdings.positions().stream()
                .filter(position -> !without.contains(position.symbol()))
                .toList();
    }

    /** The exits of these positions that no cancel has reached yet. */
    List<AccountOrder> cancelable(List<AccountPosition> positions) {
        return positions.stream()
                .flatMap(position -> holdings.exits(position).stream())
                .filter(order -> order.status() != OrderStatus.PENDING_CANCEL)
                .toList();
    }

    boolean hasExits(List<AccountPosition> positions) {
        return positions.stream().anyMatch(position -> !holdings.exits(position).isEmpty());
    }

    /** Whether an order is on its way to the venue that would close one of these positions. */
    boolean hasUnanswered(List<AccountPosition> positions) {
        return positions.stream()
                .anyMatch(position -> unansweredOf(position).findAny().isPresent());
    }

    /** What orders that are being executed, or on their way to the venue, will close already. */
    Decimal inFlight(AccountPosition position) {
        return new Decimal(Stream.concat(
                        holdings.inFlight(position).stream().map(AccountSnapshot::unfilled),
                        unansweredOf(position).map(order -> order.quantity().value()))
                .reduce(BigDecimal.ZERO, BigDecimal::add));
    }

    private static BigDecimal unfilled(AccountOrder order) {
        Decimal quantity = Objects.requireNonNull(order.quantity());
        return quantity.value().subtract(order.filledQuantity().value()).max(BigDecimal.ZERO);
    }

    /** Without those that the venue shows: an order counts once. */
    private Stream<UnansweredOrder> unansweredOf(AccountPosition position) {
        Set<ClientOrderId> shown =
                holdings.orders().stream().flatMap(AccountSnapshot::ownId).collect(Collectors.toSet());
        Side closing = position.quantity().value().signum() > 0 ? Side.SELL : Side.BUY;
        return unanswered.stream()
                .filter(order -> order.side() == closing && HeldPositions.isSame(order.symbol(), position.symbol()))
                .filter(order -> !shown.contains(order.clientOrderId()));
    }

    private static Stream<ClientOrderId> ownId(AccountOrder order) {
        String id = order.clientOrderId();
        try {
            return id == null
                    ? Stream.empty()
                    : Stream.of(VenueClientOrderId.parse(id).order());
        } catch (IllegalArgumentException foreign) {
            return Stream.empty();
        }
    }
}
