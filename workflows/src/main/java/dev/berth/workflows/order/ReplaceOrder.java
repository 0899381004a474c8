package dev.berth.workflows.order;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.VenueClientOrderId;
import java.math.BigDecimal;

/**
 * A replacement at the venue.
 *
 * @param current the version that is to be replaced
 * @param next the version that takes its place; a number is never used twice
 * @param wanted of the whole order
 * @param filledBefore of the versions before {@code current}; what that one has filled the worker
 *     asks for itself
 */
public record ReplaceOrder(OrderRequest request, int current, int next, OrderTerms wanted, Decimal filledBefore) {

    /** The id of the version that is to be replaced. */
    public VenueClientOrderId currentId() {
        return new VenueClientOrderId(request.clientOrderId(), current);
    }

    /** The id of the version that takes its place. */
    public VenueClientOrderId nextId() {
        return new VenueClientOrderId(request.clientOrderId(), next);
    }

    /**
     * The quantity of the next version.
     *
     * @param currentVersion as the venue has it
     * @return negative when more is filled than is wanted
     */
    public BigDecimal leavesQuantity(ExecutionReport currentVersion) {
        return wanted.quantity()
                .value()
                .subtract(filledBefore.value())
                .subtract(currentVersion.filledQuantity().value());
    }
}
