package dev.berth.api.fleet;

import static dev.berth.api.ExplanationText.line;

import dev.berth.api.fleet.Explanation.LastOrder;
import dev.berth.api.fleet.Explanation.OpenOrder;
import dev.berth.api.worker.WorkerView;
import dev.berth.workflows.worker.WorkerStatus;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Why a worker is as it is, as text. */
final class ExplanationFormatter {
    private ExplanationFormatter() {}

    static String format(
            WorkerView worker,
            String group,
            String decision,
            long inFlight,
            List<OpenOrder> orders,
            @Nullable LastOrder lastOrder) {
        StringBuilder text = new StringBuilder("The worker of " + worker.userId() + " is " + worker.state());
        text.append(worker.since() == null ? ".\n" : " since " + worker.since() + ", epoch " + worker.epoch() + ".\n");
        line(text, "reason", worker.reason() == null ? "none given" : worker.reason());
        if (worker.taskArn() != null) {
            line(text, "process", worker.pid() + " on " + worker.host() + " (" + origin(worker) + ")");
            line(text, "task", worker.taskArn());
            line(text, "launched", worker.launchedAt() == null ? "not known" : launched(worker));
        }
        line(text, "group", group);
        line(text, "heartbeat", heartbeat(worker));
        line(text, "sessions", worker.sessions().isEmpty() ? "none" : String.join(", ", worker.sessions()));
        if (worker.requestsUsed() != null) {
            line(text, "broker requests", worker.requestsUsed() + " % of the limit used");
        }
        line(text, "order in hand", worker.currentOrder() == null ? "none" : worker.currentOrder());
        line(text, "last order", lastOrder(worker, lastOrder));
        line(text, "orders in flight", inFlight + named(orders));
        line(text, "last decision", decision);
        line(text, "next", next(worker.next()));
        line(text, "deaths", worker.deaths() + (worker.crashLooping() ? ", too many lately: look at its log" : ""));
        if (!worker.unproven().isEmpty()) {
            line(text, "not proven dead", worker.unproven());
        }
        return text.toString();
    }

    /** The process knows the time of its own last order alone, but a moment before PostgreSQL. */
    private static Object lastOrder(WorkerView worker, @Nullable LastOrder last) {
        Instant own = worker.lastOrderAt();
        if (last == null || (own != null && own.isAfter(last.at()))) {
            return own == null ? "not known" : own;
        }
        String epoch = last.workerEpoch() == null ? "" : ", worker epoch " + last.workerEpoch();
        return "%s: %s %s%s".formatted(last.at(), last.clientOrderId(), last.status(), epoch);
    }

    private static String origin(WorkerView worker) {
        return worker.origin() == null ? "" : worker.origin().name().toLowerCase(Locale.ROOT);
    }

    private static String launched(WorkerView worker) {
        return worker.launchedAt() + ", version " + worker.version();
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
}
