package dev.berth.rest.account;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.berth.rest.Problem;
import dev.berth.rest.order.CloseOrders;
import dev.berth.rest.order.OrderView;
import dev.berth.workflows.UserId;
import dev.berth.workflows.position.CloseReport;
import dev.berth.workflows.position.PositionClose;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ProblemDetail;

/** What became of each position of a close; empty while that is not known. */
record CloseView(List<ClosedPosition> items) {
    /** While the close runs. */
    static final CloseView UNFINISHED = new CloseView(List.of());

    /**
     * One position.
     *
     * @param quantity before the close, negative when short; absent when the account has none
     * @param order as it is now
     * @param problem why the order was refused
     * @param reason why there is no order, or why it is smaller than the position
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ClosedPosition(
            String symbol,
            @Nullable String quantity,
            @Nullable OrderView order,
            @Nullable ProblemDetail problem,
            @Nullable String reason) {}

    static CloseView of(UserId userId, CloseReport report, CloseOrders orders) {
        return new CloseView(report.items().stream()
                .map(item -> new ClosedPosition(
                        item.symbol(),
                        Objects.toString(item.quantity(), null),
                        order(userId, item, orders),
                        problem(item),
                        item.reason()))
                .toList());
    }

    private static @Nullable OrderView order(UserId userId, PositionClose item, CloseOrders orders) {
        return item.order() == null ? null : orders.find(userId, item.order()).orElse(null);
    }

    private static @Nullable ProblemDetail problem(PositionClose item) {
        return item.refusal() == null
                ? null
                : Problem.named(item.refusal().type()).detail(item.refusal().detail());
    }
}
