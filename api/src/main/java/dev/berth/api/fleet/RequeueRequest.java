package dev.berth.api.fleet;

import dev.berth.api.Because;
import dev.berth.api.Problem;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The body of a requeue. Everything may be missing here; {@link #check} says what must not be.
 *
 * @param ids orders as the list of attention names them; exactly one of {@code ids} and {@code all} is given
 * @param all whether it is about every failed order
 * @param dryRun whether to say only what would be done; never left out, so that nobody sends orders by an oversight
 * @param reason why; it stands in the event log of each order
 */
record RequeueRequest(
        @Schema(example = "[\"alice:o-1\"]") @Nullable List<String> ids,
        @Nullable Boolean all,

        @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable
        Boolean dryRun,

        @Schema(requiredMode = Schema.RequiredMode.REQUIRED, example = "exchange is back") @Nullable
        String reason) {
    /** More of them would keep the call waiting for longer than a client does. */
    static final int MOST = 1000;

    /**
     * The same request, if it is complete.
     *
     * @throws Problem.Refusal with the first thing that is wrong
     */
    Checked check() {
        boolean everything = Boolean.TRUE.equals(all);
        if (everything == (ids != null)) {
            throw Problem.INVALID_REQUEUE.because(
                    "Name orders, {\"ids\": [\"alice:o-1\"]}, or say {\"all\": true}: exactly one of both.");
        }
        if (ids != null && (ids.isEmpty() || ids.size() > MOST)) {
            throw Problem.INVALID_REQUEUE.because("Name 1 to " + MOST + " orders a call, not " + ids.size() + ".");
        }
        if (ids != null && ids.stream().anyMatch(Objects::isNull)) {
            throw Problem.INVALID_REQUEUE.because(
                    "Each of ids names an order, such as alice:o-1; one of them is null.");
        }
        if (dryRun == null) {
            throw Problem.INVALID_REQUEUE.because(
                    "Say {\"dryRun\": true} first to see what would be done," + " then {\"dryRun\": false}.");
        }
        String why = new Because(reason).text();
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
