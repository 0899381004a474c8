package dev.berth.workflows.position;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.Hashes;
import dev.berth.workflows.account.AccountPosition;
import dev.berth.workflows.order.Side;
import dev.berth.workflows.order.TimeInForce;

/**
 * A market order that closes a position or a part of it.
 *
 * @param clientOrderId follows from the request's key and the symbol: repeated, the order is the
 *     same
 */
public record ClosingOrder(
        ClientOrderId clientOrderId, String symbol, Side side, Decimal quantity, TimeInForce timeInForce) {
    private static final String CRYPTO = "crypto";

    static ClosingOrder of(CloseRequest request, AccountPosition position, Decimal quantity) {
        return new ClosingOrder(
                id(request, position.symbol()),
                position.symbol(),
                position.quantity().value().signum() > 0 ? Side.SELL : Side.BUY,
                quantity,
                // No market for crypto closes, so that its venues take no order for a day.
                position.assetClass().equalsIgnoreCase(CRYPTO) ? TimeInForce.GTC : TimeInForce.DAY);
    }

    private static ClientOrderId id(CloseRequest request, String symbol) {
        String hash = Hashes.sha256(request.account() + "\n" + request.key() + "\n" + symbol);
        return new ClientOrderId("close-" + hash.substring(0, 24));
    }
}
