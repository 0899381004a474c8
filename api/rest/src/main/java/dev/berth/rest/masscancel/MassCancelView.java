package dev.berth.rest.masscancel;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.berth.workflows.masscancel.MassCancelItem;
import dev.berth.workflows.masscancel.MassCancelReport;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What became of each order. */
record MassCancelView(
        @Schema(description = "with the header Idempotency-Key of this value, the same call answers how far it is")
        String id,

        @Schema(
                description =
                        "whether nothing more is tried; an order that is still requested is canceled when it can be")
        boolean complete,

        List<CanceledOrder> items,

        @Schema(description = "open orders beyond the 1000 that items has")
        int unlisted) {

    /** How far the cancel of an order is. */
    enum Outcome {
        @JsonProperty("canceled")
        CANCELED,
        @JsonProperty("requested")
        REQUESTED,
        @JsonProperty("refused")
        REFUSED;

        static Outcome of(MassCancelItem.Outcome outcome) {
            return switch (outcome) {
                case CANCELED -> CANCELED;
                case REQUESTED -> REQUESTED;
                case REFUSED, KEPT -> REFUSED;
            };
        }
    }

    /**
     * One order.
     *
     * @param clientOrderId the user's own, or the venue's of an order that was made elsewhere
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record CanceledOrder(
            @Nullable String clientOrderId,
            @Nullable String venueOrderId,
            String account,
            Outcome outcome,
            @Nullable String reason) {
        static CanceledOrder of(MassCancelItem item) {
            return new CanceledOrder(
                    item.clientOrderId(),
                    item.venueOrderId(),
                    item.account().toString(),
                    Outcome.of(item.outcome()),
                    item.reason());
        }
    }

    static MassCancelView of(MassCancelReport report) {
        return new MassCancelView(
                report.request().id(),
                report.complete(),
                report.items().stream().map(CanceledOrder::of).toList(),
                report.unlisted());
    }
}
