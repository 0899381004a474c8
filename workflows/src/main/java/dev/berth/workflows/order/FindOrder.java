package dev.berth.workflows.order;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * A question about an order whose outcome is unknown.
 *
 * @param version under which of its venue ids
 * @param attempt the attempt in doubt; once asked, the same process never starts it. A version that
 *     is a replacement has no attempts of its own
 * @param venueOrderId under which a person found it at the broker; absent for a look-up by client
 *     order id
 */
public record FindOrder(
        OrderRequest request,
        int version,
        int attempt,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String venueOrderId) {
    /** By its client order id. */
    public FindOrder(OrderRequest request, int version, int attempt) {
        this(request, version, attempt, null);
    }
}
