package dev.berth.gateway;

import dev.berth.temporal.gateway.GatewayMessages.Empty;
import dev.berth.temporal.gateway.GatewayMethods;
import dev.berth.temporal.gateway.OrderIntentMessages.IntentAnswer;
import dev.berth.temporal.gateway.OrderIntentMessages.IntentOutcomeRequest;
import dev.berth.temporal.gateway.OrderIntentMessages.IntentRequest;
import dev.berth.workflows.VenueClientOrderId;

/** Methods of what a worker is about to write; user and epoch are the caller's own. */
record OrderIntentCalls(OrderIntents intents, Refusals refusals) {
    void serve(OwnCalls own, ServingGuard guard) {
        own.method(
                        GatewayMethods.RECORD_INTENT,
                        guard.serving(
                                GatewayMethods.RECORD_INTENT, (caller, request) -> record(caller.serving(), request)))
                .method(GatewayMethods.CLOSE_INTENT, guard.serving(GatewayMethods.CLOSE_INTENT, (caller, outcome) -> {
                    close(caller.serving(), outcome);
                    return new Empty();
                }))
                .method(
                        GatewayMethods.READ_INTENT,
                        guard.serving(
                                GatewayMethods.READ_INTENT,
                                (caller, query) -> intents.find(
                                        caller.serving(), VenueClientOrderId.parse(query.clientOrderId()))))
                .method(
                        GatewayMethods.READ_CLAIMS,
                        guard.serving(
                                GatewayMethods.READ_CLAIMS,
                                (caller, query) -> intents.claims(caller.serving(), query)));
    }

    private IntentAnswer record(Assignment worker, IntentRequest request) {
        OrderIntents.Recorded recorded = intents.record(worker, request);
        if (!recorded.stored() && recorded.full()) {
            throw refusals.refuse(
                    GatewayMethods.RECORD_INTENT.getFullMethodName(),
                    Refusal.QUANTITY,
                    "the user has too many orders without the broker's id");
        }
        if (!recorded.stored() && recorded.inDoubt().isEmpty()) {
            throw refusals.superseded(GatewayMethods.RECORD_INTENT);
        }
        return new IntentAnswer(recorded.inDoubt().orElse(null));
    }

    private void close(Assignment worker, IntentOutcomeRequest outcome) {
        VenueClientOrderId id = VenueClientOrderId.parse(outcome.clientOrderId());
        if (outcome.venueOrderId() == null) {
            intents.withdraw(worker, id);
        } else {
            intents.know(worker, id, outcome.venueOrderId());
        }
    }
}
