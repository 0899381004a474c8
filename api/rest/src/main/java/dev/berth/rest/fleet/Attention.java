package dev.berth.rest.fleet;

import dev.berth.activities.order.OrdersInAttention.Waiting;
import dev.berth.rest.Problem;
import dev.berth.rest.order.OrderKey;
import dev.berth.temporal.client.FailingWorkflows.FailingWorkflow;
import dev.berth.temporal.client.LifecycleIndex.WorkerRow;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An order, a worker or a workflow that needs an operator. */
@Schema(oneOf = {Attention.Order.class, Attention.Worker.class, Attention.Workflow.class})
sealed interface Attention {
    /** Kinds of attention. */
    enum Kind {
        ORDER,
        WORKER,
        WORKFLOW;

        /** The name in REST and metrics. */
        String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Parses a query parameter; null stays null. */
        static @Nullable Kind parse(@Nullable String label) {
            return switch (label) {
                case null -> null;
                case "order" -> ORDER;
                case "worker" -> WORKER;
                case "workflow" -> WORKFLOW;
                default -> throw Problem.INVALID_REQUEST.because("kind is order, worker, workflow or absent.");
            };
        }
    }

    /**
     * An order that failed permanently, or got an execution report after its end.
     *
     * @param id for a requeue
     * @param code of the reason, such as {@code not-taken}
     * @param notRequeueableBecause why it cannot be requeued now; null if it can
     * @param deadline the order is not sent to the venue after this time
     * @param since when it began to need attention
     */
    record Order(
            String kind,
            String id,
            UserId userId,
            ClientOrderId clientOrderId,
            OrderStatus status,
            @Nullable String reason,
            @Nullable String code,
            boolean requeueable,
            @Nullable String notRequeueableBecause,
            Instant deadline,
            @Nullable Instant finalAt,
            Instant since)
            implements Attention {

        static Order of(Waiting waiting, Optional<String> objection) {
            OrderState order = waiting.order();
            String reason = order.reason() == null ? null : order.reason().toString();
            return new Order(
                    "order",
                    OrderKey.of(order.request()).toString(),
                    order.request().userId(),
                    order.request().clientOrderId(),
                    order.status(),
                    reason,
                    order.reason() == null ? null : order.reason().code(),
                    objection.isEmpty(),
                    objection.orElse(null),
                    order.request().deadline(),
                    order.finalAt(),
                    waiting.since());
        }
    }

    /**
     * A worker that dies too often.
     *
     * @param runSince start of the current run of its lifecycle workflow
     */
    record Worker(String kind, UserId userId, String state, String reason, Instant runSince) implements Attention {
        static Worker of(WorkerRow row) {
            return new Worker(
                    "worker",
                    row.userId(),
                    row.phase().name(),
                    "Its worker dies too often. GET /v1/fleet/explain/" + row.userId()
                            + " shows details; the worker's log shows the cause.",
                    row.runSince());
        }
    }

    /**
     * A workflow that stands still, since its workflow tasks fail.
     *
     * @param runSince start of its current run
     */
    record Workflow(String kind, String workflowId, String workflowType, String reason, Instant runSince)
            implements Attention {
        static Workflow of(FailingWorkflow row) {
            return new Workflow(
                    "workflow",
                    row.workflowId(),
                    row.type(),
                    "Its workflow tasks fail (" + row.problem() + "). The API's log shows the cause."
                            + " Terminate a workflow that was started by hand.",
                    row.runSince());
        }
    }
}
