package dev.berth.workflows.worker;

import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.order.OrderWorkflow;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * Markdown for the operator who opens a lifecycle in Temporal's Web UI. It is written when the
 * state changes, so what changes all the time is linked: the Web UI knows when the process last
 * asked for work, and which orders came last.
 */
final class WorkerDetails {
    private WorkerDetails() {}

    static String of(WorkerState worker, String namespace, Instant now) {
        WorkerStatus status = worker.status();
        StringBuilder text = new StringBuilder(
                "**%s** since %s, epoch %s".formatted(worker.phase(), status.since(), worker.epoch()));
        if (status.reason() != null) {
            text.append(": ").append(status.reason());
        }
        LiveWorker live = status.worker();
        if (live != null) {
            WorkerProcess process = live.process();
            text.append("\n\nProcess %s on %s (%s), %s. Sessions: %s. Heartbeat: [when it last asked for work](%s)."
                    .formatted(
                            process.pid(),
                            process.host(),
                            live.origin(),
                            process.taskArn(),
                            live.sessions().size(),
                            pollers(worker, namespace)));
        }
        text.append("\n\nOrders: [all of its user's](")
                .append(orders(worker, namespace))
                .append("), open ones first, then the last one.");
        WorkerStatus.Next next = status.next();
        text.append("\n\nNext: ").append(next.action());
        text.append(next.at() == null ? "." : ", at the latest at " + next.at() + ".");
        text.append("\n\nWanted: ")
                .append(worker.isWanted() ? "yes" : "no")
                .append(". Deaths: ")
                .append(worker.deaths());
        text.append(worker.isCrashLooping(now) ? ", too many of them lately: **look at its log.**" : ".");
        if (!worker.unconfirmedStops().isEmpty()) {
            text.append("\n\nNot proven dead: ")
                    .append(worker.unconfirmedStops())
                    .append('.');
        }
        return text.toString();
    }

    private static String pollers(WorkerState worker, String namespace) {
        return "/namespaces/" + namespace + "/task-queues/" + TaskQueues.controlOf(worker.userId());
    }

    private static String orders(WorkerState worker, String namespace) {
        String query = "`WorkflowType`=\"%s\" AND `%s`=\"%s\""
                .formatted(OrderWorkflow.TYPE, BerthSearchAttributes.USER_ID.getName(), worker.userId());
        return "/namespaces/" + namespace + "/workflows?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8);
    }
}
