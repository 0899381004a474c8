package dev.berth.api.fleet;

import dev.berth.api.fleet.Explanation.OpenOrder;
import dev.berth.api.worker.WorkerView;
import dev.berth.workflows.worker.WorkerPhase;
import dev.berth.workflows.worker.WorkerStatus;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The fleet for a person at a terminal: what {@link FleetController} answers, for those who accept plain text. */
@RestController
@RequestMapping(path = "/v1/fleet", produces = MediaType.TEXT_PLAIN_VALUE)
@Tag(name = "fleet")
class FleetInWords {
    private final FleetController fleet;

    FleetInWords(FleetController fleet) {
        this.fleet = fleet;
    }

    @GetMapping
    @Operation(summary = "The fleet in numbers")
    String fleet() {
        FleetView view = fleet.fleet();
        StringBuilder text = new StringBuilder();
        if (view.lastSwitch() != null) {
            line(
                    text,
                    view.suspended() ? "ALL SUSPENDED" : "all resumed",
                    view.lastSwitch().now().reason() + " (" + view.lastSwitch().by() + ", "
                            + view.lastSwitch().at() + ")");
        }
        for (WorkerPhase state : WorkerPhase.values()) {
            if (view.workers().containsKey(state)) {
                line(text, state.name(), view.workers().get(state));
            }
        }
        line(
                text,
                "workers in all",
                view.workers().values().stream().mapToLong(Long::longValue).sum());
        line(text, "pool, idle", view.poolIdle() == null ? "not known, Redis is away" : view.poolIdle());
        line(text, "orders in flight", view.openOrders());
        line(text, "need attention", view.attention() + " workers, " + view.attentionOrders() + " orders");
        return text.toString();
    }

    @GetMapping("/workers")
    @Operation(summary = "Every user who has, or had, a worker")
    String workers(
            @RequestParam @Nullable WorkerPhase state,
            @RequestParam(defaultValue = "100") int limit,
            @RequestParam @Nullable String cursor) {
        FleetPage page = fleet.workers(state, limit, cursor);
        StringBuilder text = new StringBuilder();
        for (FleetPage.Row row : page.workers()) {
            text.append(
                    "%-40s %-14s%s%n".formatted(row.userId(), row.state(), row.attention() ? " needs attention" : ""));
        }
        if (page.workers().isEmpty()) {
            text.append("There is none.\n");
        }
        if (page.nextCursor() != null) {
            text.append("There are more; the next page begins at ")
                    .append(page.nextCursor())
                    .append('\n');
        }
        return text.toString();
    }

    @GetMapping("/explain/{userId}")
    @Operation(summary = "Why a user's worker is as it is, and what comes next")
    String explain(@PathVariable String userId) {
        return fleet.explain(userId).text();
    }

    static String explained(WorkerView worker, String decision, long inFlight, List<OpenOrder> orders) {
        StringBuilder text = new StringBuilder("The worker of " + worker.userId() + " is " + worker.state());
        text.append(worker.since() == null ? ".\n" : " since " + worker.since() + ", epoch " + worker.epoch() + ".\n");
        line(text, "reason", worker.reason() == null ? "none given" : worker.reason());
        if (worker.taskArn() != null) {
            line(text, "process", worker.pid() + " on " + worker.host() + " (" + origin(worker) + ")");
            line(text, "task", worker.taskArn());
        }
        line(text, "heartbeat", heartbeat(worker));
        line(text, "sessions", worker.sessions().isEmpty() ? "none" : String.join(", ", worker.sessions()));
        line(text, "order in hand", worker.currentOrder() == null ? "none" : worker.currentOrder());
        line(text, "last order", worker.lastOrderAt() == null ? "not known" : worker.lastOrderAt());
        line(text, "orders in flight", inFlight + named(orders));
        line(text, "last decision", decision);
        line(text, "next", next(worker.next()));
        line(text, "deaths", worker.deaths() + (worker.crashLooping() ? ", too many lately: look at its log" : ""));
        if (!worker.unproven().isEmpty()) {
            line(text, "not proven dead", worker.unproven());
        }
        return text.toString();
    }

    private static String origin(WorkerView worker) {
        return worker.origin() == null ? "" : worker.origin().name().toLowerCase(Locale.ROOT);
    }

    private static String heartbeat(WorkerView worker) {
        Long age = worker.heartbeatAgeMillis();
        return age == null ? "none" : "%.1f s ago".formatted(age / 1000.0);
    }

    private static String named(List<OpenOrder> orders) {
        return orders.isEmpty()
                ? ""
                : orders.stream()
                        .map(order -> order.clientOrderId() + " " + order.status())
                        .collect(Collectors.joining(", ", ": ", ""));
    }

    private static String next(WorkerStatus.Next next) {
        return next.at() == null ? next.action() : next.action() + ", due at " + next.at();
    }

    private static void line(StringBuilder text, String name, Object value) {
        text.append("  %-18s %s%n".formatted(name, value));
    }
}
