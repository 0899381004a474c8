package dev.berth.rest.fleet;

import dev.berth.rest.Problem;
import dev.berth.rest.ReasonBody;
import dev.berth.rest.openapi.SchemaPatterns;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The body of a requeue. {@link #check} refuses an incomplete one.
 *
 * @param ids order ids from the attention list; exactly one of {@code ids} and {@code all} is given
 * @param all whether to requeue all failed orders
 * @param dryRun whether to change nothing; required, so that no order is sent by mistake
 * @param reason for the event log of each order
 */
record RequeueRequest(
        @Schema(example = "[\"alice:o-1\"]")
        @ArraySchema(schema = @Schema(pattern = SchemaPatterns.ORDER_KEY), minItems = 1, maxItems = MAX_IDS)
        @Nullable
        List<String> ids,

        @Nullable Boolean all,

        @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable
        Boolean dryRun,

        @Schema(
                requiredMode = Schema.RequiredMode.REQUIRED,
                minLength = 1,
                maxLength = 500,
                example = "exchange is back")
        @Nullable
        String reason) {
    /** More would take longer than a client waits. */
    static final int MAX_IDS = 1000;

    /**
     * The checked request.
     *
     * @throws Problem.Refusal with the first error
     */
    Checked check() {
        boolean isAll = Boolean.TRUE.equals(all);
        if (isAll == (ids != null)) {
            throw Problem.INVALID_REQUEUE.because(
                    "Send either orders, {\"ids\": [\"alice:o-1\"]}, or {\"all\": true}.");
        }
        if (ids != null && (ids.isEmpty() || ids.size() > MAX_IDS)) {
            throw Problem.INVALID_REQUEUE.because("Send 1 to " + MAX_IDS + " ids a call, not " + ids.size() + ".");
        }
        if (ids != null && ids.stream().anyMatch(Objects::isNull)) {
            throw Problem.INVALID_REQUEUE.because("Each id names an order, such as alice:o-1; one is null.");
        }
        if (dryRun == null) {
            throw Problem.INVALID_REQUEUE.because(
                    "Send {\"dryRun\": true} first to see the result, then {\"dryRun\": false}.");
        }
        String why = new ReasonBody(reason).text();
        return new Checked(
                Optional.ofNullable(ids).map(named -> named.stream().distinct().toList()), dryRun, why);
    }

    /**
     * A complete request.
     *
     * @param ids empty for all
     */
    record Checked(Optional<List<String>> ids, boolean dryRun, String reason) {}
}
