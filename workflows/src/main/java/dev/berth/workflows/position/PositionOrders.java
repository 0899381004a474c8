package dev.berth.workflows.position;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.account.AccountOrder;
import dev.berth.workflows.account.AccountPosition;
import dev.berth.workflows.account.AccountReport;
import io.temporal.activity.ActivityOptions;
import io.temporal.workflow.Async;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The orders of a close, all of them at once. */
record PositionOrders(CloseRequest request) {
    private static final String UNREADABLE =
            "Kill switches and limits cannot be read now. Nothing was done; close again under another key.";

    private static final String COVERED = "Orders in flight close it already.";

    private static final String TOO_MANY_ORDERS = "The account has " + AccountReport.MAX_ORDERS
            + " open orders or more, and some of them may close it already. Cancel some, and close again under"
            + " another key.";

    private static final String UNKNOWN =
            "The API did not answer in time whether it accepted the order: its state tells, or 404 for none.";

    /**
     * What becomes of positions whose orders would be refused, with all of their quantity: they
     * keep their exits.
     */
    Map<String, PositionClose> refused(AccountSnapshot snapshot) {
        ClosingOrders orders = orders(PositionPolicies.check());
        Map<AccountPosition, Promise<RefusedClose>> checks = new LinkedHashMap<>();
        for (AccountPosition position : snapshot.positions(Set.of())) {
            checks.put(position, Async.function(orders::check, request, order(position, size(position))));
        }
        Map<String, PositionClose> refused = new LinkedHashMap<>();
        checks.forEach((position, check) -> {
            PositionClose item = switch (OrderAnswer.await(check)) {
                case OrderAnswer.Accepted _ -> null;
                case OrderAnswer.Refused(RefusedClose why) -> PositionClose.refused(position, why);
                case OrderAnswer.Unknown _ -> PositionClose.skipped(position, UNREADABLE);
            };
            if (item != null) {
                refused.put(position.symbol(), item);
            }
        });
        return refused;
    }

    /** Submits what is left to close of these positions. */
    List<PositionClose> submit(List<AccountPosition> positions, AccountSnapshot snapshot) {
        ClosingOrders orders = orders(PositionPolicies.submission());
        List<Supplier<PositionClose>> results = new ArrayList<>();
        for (AccountPosition position : positions) {
            String obstacle = obstacle(position, snapshot);
            if (obstacle != null) {
                results.add(() -> PositionClose.skipped(position, obstacle));
                continue;
            }
            ClosingOrder order = order(position, rest(position, snapshot));
            Promise<RefusedClose> submission = Async.function(orders::submit, request, order);
            results.add(() -> result(position, order, snapshot.inFlight(position), OrderAnswer.await(submission)));
        }
        return results.stream().map(Supplier::get).toList();
    }

    private static @Nullable String obstacle(AccountPosition position, AccountSnapshot snapshot) {
        List<AccountOrder> exits = snapshot.holdings().exits(position);
        if (!exits.isEmpty()) {
            return "Exits hold it and were not canceled in time: "
                    + exits.stream().map(AccountOrder::venueOrderId).collect(Collectors.joining(", "))
                    + ". Close again under another key.";
        }
        if (!snapshot.holdings().complete()) {
            return TOO_MANY_ORDERS;
        }
        return rest(position, snapshot).isPositive() ? null : COVERED;
    }

    private static PositionClose result(
            AccountPosition position, ClosingOrder order, Decimal inFlight, OrderAnswer answer) {
        return switch (answer) {
            case OrderAnswer.Accepted _ ->
                PositionClose.ordered(
                        position,
                        order,
                        inFlight.isPositive() ? "Orders in flight close " + inFlight + " of it." : null);
            case OrderAnswer.Refused(RefusedClose why) -> PositionClose.refused(position, why);
            case OrderAnswer.Unknown _ -> PositionClose.ordered(position, order, UNKNOWN);
        };
    }

    private ClosingOrder order(AccountPosition position, Decimal quantity) {
        return ClosingOrder.of(request, position, quantity);
    }

    private static Decimal size(AccountPosition position) {
        return new Decimal(position.quantity().value().abs());
    }

    /** What no other order closes: never so much that the position would change its side. */
    private static Decimal rest(AccountPosition position, AccountSnapshot snapshot) {
        return new Decimal(size(position)
                .value()
                .subtract(snapshot.inFlight(position).value())
                .max(BigDecimal.ZERO));
    }

    private static ClosingOrders orders(ActivityOptions options) {
        return Workflow.newActivityStub(ClosingOrders.class, options);
    }
}
