package dev.berth.process.settings;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How long closed orders and their ids stay in PostgreSQL.
 *
 * @param orders since the last change of a closed order
 * @param orderIds since the order was archived
 * @param archive the folder that orders go to, the same for every orchestrator; without it none
 *     leaves PostgreSQL
 */
public record RetentionOptions(
        @DefaultValue("P90D") Duration orders,
        @DefaultValue("P730D") Duration orderIds,
        @Nullable Path archive) {

    /** Temporal keeps a closed workflow for 30 days, and may write its order again until then. */
    private static final Duration SHORTEST = Duration.ofDays(31);

    public RetentionOptions {
        archive = archive == null || archive.toString().isBlank() ? null : archive;
        if (orders.compareTo(SHORTEST) < 0) {
            throw new IllegalArgumentException("berth.retention.orders must be 31 days or longer, not " + orders
                    + ": Temporal keeps closed orders for 30 days.");
        }
        if (orderIds.isNegative()) {
            throw new IllegalArgumentException("berth.retention.order-ids must not be negative, but is " + orderIds);
        }
    }
}
