package dev.berth.workflows.order;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * What a person found at the broker of an order whose outcome no look-up tells.
 *
 * @param venueOrderId the broker's id of the order; absent when the broker does not have the order
 * @param by the operator and the reason, for the order's event log
 */
public record OrderResolution(
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String venueOrderId, String by) {}
