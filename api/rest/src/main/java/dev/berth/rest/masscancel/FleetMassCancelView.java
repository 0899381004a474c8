package dev.berth.rest.masscancel;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.berth.rest.masscancel.MassCancelView.Outcome;
import dev.berth.workflows.masscancel.FleetMassCancelReport;
import dev.berth.workflows.masscancel.FleetMassCancelReport.UserOrder;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How far the cancels of a kill switch are: how many orders are canceled, and which are not. */
public record FleetMassCancelView(
        String id,

        @Schema(
                description =
                        "whether nothing more is tried; an order that is still requested is canceled when it can be")
        boolean complete,

        @Schema(description = "whose orders are done") int users,

        @Schema(description = "orders") long canceled,

        @Schema(description = "orders that are not canceled, up to 1000")
        List<RemainingOrder> items,

        @Schema(description = "orders that are not canceled, beyond those of items")
        long unlisted,

        @Schema(description = "users whose cancels were ended by hand in Temporal")
        List<String> ended) {

    /** One order that is not canceled. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record RemainingOrder(
            String userId,
            @Nullable String clientOrderId,
            @Nullable String venueOrderId,
            String account,

            @Schema(allowableValues = {"requested", "refused"})
            String outcome,

            @Nullable String reason) {
        private static RemainingOrder of(UserOrder one) {
            return new RemainingOrder(
                    one.userId().value(),
                    one.order().clientOrderId(),
                    one.order().venueOrderId(),
                    one.order().account().toString(),
                    Outcome.of(one.order().outcome()) == Outcome.REQUESTED ? "requested" : "refused",
                    one.order().reason());
        }
    }

    static FleetMassCancelView of(FleetMassCancelReport report) {
        return new FleetMassCancelView(
                report.request().key(),
                report.complete(),
                report.users(),
                report.canceled(),
                report.remaining().stream().map(RemainingOrder::of).toList(),
                report.unlisted(),
                report.ended().stream().map(Object::toString).toList());
    }
}
