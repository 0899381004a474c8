package dev.berth.workflows.masscancel;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Orders of Berth that a request covers, as they stand now.
 *
 * @param orders those that were asked about, and at most {@link #MOST} more that are open
 * @param unlisted how many more are open
 * @param later open orders that were accepted after the request, the newest {@link #MOST}
 */
public record OpenOwnOrders(List<OwnOrder> orders, int unlisted, List<ClientOrderId> later) {
    public static final int MOST = 1_000;

    public OpenOwnOrders {
        orders = List.copyOf(orders);
        later = List.copyOf(later);
    }

    /** One order. */
    public record OwnOrder(
            ClientOrderId id,
            AccountKey account,
            OrderStatus status,
            boolean hasStopPrice,
            @Nullable String venueOrderId) {
        public static OwnOrder of(OrderState order) {
            return new OwnOrder(
                    order.request().clientOrderId(),
                    order.request().account(),
                    order.status(),
                    order.request().type().hasStopPrice(),
                    order.venueOrderId());
        }

        /** Whether it may protect a position, which only its worker can tell. */
        boolean mayProtect() {
            return hasStopPrice && status.isAtVenue() && !status.isFinal();
        }

        MassCancelItem kept() {
            return item(MassCancelItem.Outcome.KEPT, "It may protect a position, and exits were not to be canceled.");
        }

        MassCancelItem item() {
            return switch (status) {
                case CANCELED -> item(MassCancelItem.Outcome.CANCELED, null);
                case FILLED, REJECTED, EXPIRED, FAILED ->
                    item(MassCancelItem.Outcome.REFUSED, "The order was " + status + " before the cancel.");
                case UNKNOWN ->
                    item(
                            MassCancelItem.Outcome.REQUESTED,
                            "Whether the venue has the order is not known; it is canceled when it is found.");
                case PENDING, DISPATCHED, NEW, PARTIALLY_FILLED, PENDING_CANCEL, PENDING_REPLACE ->
                    item(MassCancelItem.Outcome.REQUESTED, "The order is still " + status + ".");
            };
        }

        private MassCancelItem item(MassCancelItem.Outcome outcome, @Nullable String reason) {
            return new MassCancelItem(account, id.value(), venueOrderId, outcome, reason);
        }
    }
}
