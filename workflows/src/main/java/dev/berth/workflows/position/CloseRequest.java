package dev.berth.workflows.position;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.berth.workflows.Hashes;
import dev.berth.workflows.TraceContext;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import org.jspecify.annotations.Nullable;

/**
 * A user's request to close positions.
 *
 * @param symbol of the only position to close; null for all
 * @param key the request's idempotency key
 * @param passesKillSwitches whether the caller may set kill switches, which do not stop the orders
 *     then
 * @param trace the span of the request
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record CloseRequest(
        UserId userId,
        AccountKey account,
        @Nullable String symbol,
        String key,
        boolean passesKillSwitches,
        @Nullable TraceContext trace) {

    /** Equal for requests with the same body. */
    public String contentHash() {
        return Hashes.sha256(symbol == null ? "" : symbol).substring(0, 32);
    }
}
