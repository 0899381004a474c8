package dev.berth.api.fleet;

import dev.berth.activities.order.OrdersInAttention.Waiting;
import dev.berth.api.Problem;
import dev.berth.api.order.OrderKey;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Something that waits for a person. */
@Schema(oneOf = {Attention.Order.class, Attention.Worker.class})
sealed interface Attention {
    /** What it is. */
    enum Kind {
        ORDER,
        WORKER;

        /** As it stands in addresses, answers and metrics. */
        String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Reads it as it stands in an address; null stays null. */
        static @Nullable Kind parse(@Nullable String word) {
            return switch (word) {
                case null -> null;
                case "order" -> ORDER;
                case "worker" -> WORKER;
                default -> throw Problem.INVALID_REQUEST.because("kind is order or worker, or left out.");
            };
        }
    }

    /**
     * An order that failed for good, or of which the venue told something after its end.
     *
     * @param id as a requeue takes it
     * @param code of the reason, such as {@code not-taken}
     * @param notRequeueableBecause why it can not be requeued now; null when it can
     * @param deadline nothing is sent to the venue after this moment
     * @param since when it waits
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
     * @param runSince when its lifecycle workflow began its current run
     */
    record Worker(String kind, UserId userId, String state, String reason, Instant runSince) implements Attention {
        static Worker of(FleetPage.Row row) {
            return new Worker(
                    "worker",
                    row.userId(),
                    row.state(),
                    "Its worker dies too often. GET /v1/fleet/explain/" + row.userId() + " says more, and its log why.",
                    row.runSince());
        }
    }
}
