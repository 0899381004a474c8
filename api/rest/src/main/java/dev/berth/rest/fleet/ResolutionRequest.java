package dev.berth.rest.fleet;

import dev.berth.rest.Problem;
import dev.berth.rest.ReasonBody;
import dev.berth.rest.openapi.SchemaPatterns;
import dev.berth.rest.order.OrderKey;
import dev.berth.workflows.order.OrderResolution;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The body of a resolution: what a person found at the broker of an order whose outcome no look-up
 * tells.
 *
 * @param id the order, {@code {userId}:{clientOrderId}}
 * @param venueOrderId the broker's id of it; exactly one of this and {@code absent} is given
 * @param absent true when the broker does not have it
 */
record ResolutionRequest(
        @Schema(requiredMode = Schema.RequiredMode.REQUIRED, pattern = SchemaPatterns.ORDER_KEY, example = "alice:o-1")
        @Nullable
        String id,

        @Schema(pattern = "^[!-~]{1,128}$") @Nullable String venueOrderId,
        @Nullable Boolean absent,

        @Schema(
                requiredMode = Schema.RequiredMode.REQUIRED,
                minLength = 1,
                maxLength = 500,
                example = "the broker's desk confirms it")
        @Nullable
        String reason) {
    private static final Pattern VENUE_ORDER_ID = Pattern.compile("[!-~]{1,128}");

    /**
     * The order that it is about.
     *
     * @throws Problem.Refusal when there is none
     */
    OrderKey order() {
        return OrderKey.parse(id == null ? "" : id)
                .orElseThrow(() -> Problem.INVALID_REQUEST.because("id names an order, such as alice:o-1."));
    }

    /**
     * What the person found.
     *
     * @param operator the person's name
     * @throws Problem.Refusal with the first error
     */
    OrderResolution checked(String operator) {
        if (Boolean.TRUE.equals(absent) == (venueOrderId != null)) {
            throw Problem.INVALID_REQUEST.because(
                    "Send either the broker's id, {\"venueOrderId\": \"…\"}, or {\"absent\": true}.");
        }
        if (venueOrderId != null && !VENUE_ORDER_ID.matcher(venueOrderId).matches()) {
            throw Problem.INVALID_REQUEST.because("venueOrderId is 1 to 128 characters of ASCII without spaces.");
        }
        return new OrderResolution(venueOrderId, operator + ": " + new ReasonBody(reason).text());
    }
}
