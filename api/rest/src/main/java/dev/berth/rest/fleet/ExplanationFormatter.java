package dev.berth.rest.fleet;

import static dev.berth.rest.ExplanationText.line;

import dev.berth.rest.fleet.Explanation.LastOrder;
import dev.berth.rest.fleet.Explanation.OpenOrder;
import dev.berth.rest.worker.WorkerView;
import dev.berth.workflows.worker.WorkerStatus;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Why a worker is as it is, as text. */
final class ExplanationFormatter {
    private ExplanationFormatter() {}

    /** Nothing of the user's orders, accounts and reasons. */
    static String unrecorded(WorkerView worker, String decision) {
        StringBuilder text = state(worker);
        process(text, worker);
        line(text, "heartbeat", heartbeat(worker));
        next(text, worker, decision);
        line(
                text,
                "not shown",
                "reason, group, sessions and orders: PostgreSQL does not answer, so the read is not in the audit");
        return text.toString();
    }

    static String format(
            Set<String> missing,
            WorkerView worker,
            @Nullable String group,
            List<String> suspensions,
            String decision,
            long inFlight,
            List<OpenOrder> orders,
            @Nullable LastOrder lastOrder) {
        StringBuilder text = state(worker);
        line(text, "reason", worker.reason() == null ? "none given" : worker.reason());
        process(text, worker);
        line(text, "group", group == null ? "not known" : group);
        suspensions.forEach(one -> line(text, "orders held", "suspended, " + one));
        line(text, "heartbeat", heartbeat(worker));
        line(text, "sessions", worker.sessions().isEmpty() ? "none" : String.join(", ", worker.sessions()));
        if (worker.requestsUsed() != null) {
            line(text, "broker requests", worker.requestsUsed() + " % of the limit used");
        }
        line(text, "order in hand", worker.currentOrder() == null ? "none" : worker.currentOrder());
        line(text, "last order", lastOrder(worker, lastOrder));
        line(text, "orders in flight", inFlight + named(orders));
        next(text, worker, decision);
        missing.forEach(server -> line(text, "not known", "what " + server + " has: it does not answer"));
        return text.toString();
    }

    private static StringBuilder state(WorkerView worker) {
        StringBuilder text = new StringBuilder("The worker of " + worker.userId() + " is " + worker.state());
        return text.append(
                worker.since() == null ? ".\n" : " since " + worker.since() + ", epoch " + worker.epoch() + ".\n");
    }

    private static void process(StringBuilder text, WorkerView worker) {
        if (worker.taskArn() != null) {
            line(text, "process", worker.pid() + " on " + worker.host() + " (" + origin(worker) + ")");
            line(text, "task", worker.taskArn());
            line(text, "launched", worker.launchedAt() == null ? "not known" : launched(worker));
        }
    }

    private static void next(StringBuilder text, WorkerView worker, String decision) {
        line(text, "last decision", decision);
        line(text, "next", next(worker.next()));
        line(text, "deaths", worker.deaths() + (worker.crashLooping() ? ", too many lately: look at its log" : ""));
        if (!worker.unproven().isEmpty()) {
            line(text, "not proven dead", worker.unproven());
        }
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
        return age == null ? "none" : String.format(Locale.ROOT, "%.1f s ago", age / 1000.0);
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
