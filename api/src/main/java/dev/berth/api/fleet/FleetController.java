package dev.berth.api.fleet;

import dev.berth.activities.order.OrdersInAttention;
import dev.berth.activities.worker.PostgresFleetSwitches;
import dev.berth.api.PageLimit;
import dev.berth.api.Problem;
import dev.berth.api.worker.WorkerView;
import dev.berth.api.worker.WorkerViews;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.worker.WorkerPhase;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The fleet, to look at. Every call needs the scope {@code fleet}. */
@RestController
@RequestMapping("/v1/fleet")
@Tag(name = "fleet")
class FleetController {
    private static final PageLimit LIMIT = new PageLimit(1000);
    private static final int ORDERS_NAMED = 20;

    private final FleetIndex index;
    private final WorkerViews views;
    private final PostgresFleetSwitches switches;
    private final OrdersInAttention orders;
    private final StatefulRedisConnection<String, String> redis;

    FleetController(
            FleetIndex index,
            WorkerViews views,
            PostgresFleetSwitches switches,
            OrdersInAttention orders,
            StatefulRedisConnection<String, String> redis) {
        this.index = index;
        this.views = views;
        this.switches = switches;
        this.orders = orders;
        this.redis = redis;
    }

    @GetMapping
    @Operation(summary = "The fleet in numbers", description = "Also as text/plain. Needs the scope fleet.")
    FleetView fleet() {
        var last = switches.last();
        return new FleetView(
                last.isPresent() && last.get().now().suspended(),
                last.orElse(null),
                index.workersByState(),
                index.crashLooping(),
                orders.count(),
                index.openOrders(),
                poolIdle());
    }

    private @Nullable Long poolIdle() {
        try {
            return redis.sync().zcard(RedisKeys.POOL_IDLE);
        } catch (RedisException away) {
            return null;
        }
    }

    @GetMapping("/workers")
    @Operation(
            summary = "Every user who has, or had, a worker",
            description = "From an index that is a moment late; one user's worker in full is at"
                    + " /v1/fleet/workers/{userId}. limit is 1 to 1000. Also as text/plain. Needs the scope fleet.")
    FleetPage workers(
            @RequestParam @Nullable WorkerPhase state,
            @RequestParam(defaultValue = "100") int limit,
            @RequestParam @Nullable String cursor) {
        if (state == WorkerPhase.PROCESSING || state == WorkerPhase.POOL_IDLE) {
            throw Problem.INVALID_REQUEST.because(
                    "The list does not know " + state + ". Ask for ACTIVE, or for one user's worker.");
        }
        return index.workers(state, LIMIT.check(limit), cursor);
    }

    @GetMapping("/workers/{userId}")
    @Operation(
            summary = "One user's worker",
            description = "As its user sees it. State TERMINATED when there is none. Needs the scope fleet.")
    WorkerView worker(@PathVariable String userId) {
        return views.of(new UserId(userId));
    }

    @GetMapping("/explain/{userId}")
    @Operation(
            summary = "Why a user's worker is as it is, and what comes next",
            description = "State, reason, heartbeat, orders in flight, last decision, next action and when."
                    + " Also as text/plain. Needs the scope fleet.")
    Explanation explain(@PathVariable String userId) {
        UserId user = new UserId(userId);
        return Explanation.of(views.of(user), index.openOrders(user), index.orders(user, ORDERS_NAMED));
    }
}
