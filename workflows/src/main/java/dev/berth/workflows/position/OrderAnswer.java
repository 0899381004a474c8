package dev.berth.workflows.position;

import dev.berth.workflows.FailureType;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.workflow.Promise;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** What the API answers to an order that closes a position. */
sealed interface OrderAnswer {
    /** It is accepted, or would be. */
    record Accepted() implements OrderAnswer {}

    /** It is not accepted. */
    record Refused(RefusedClose why) implements OrderAnswer {}

    /** The API did not answer in time: it may be accepted. */
    record Unknown() implements OrderAnswer {}

    /** Waits for it. */
    static OrderAnswer await(Promise<RefusedClose> call) {
        try {
            RefusedClose refusal = call.get();
            return refusal == null ? new Accepted() : new Refused(refusal);
        } catch (ActivityFailure failure) {
            return lastRefusal(failure).<OrderAnswer>map(Refused::new).orElseGet(Unknown::new);
        }
    }

    /** Of an order that could be admitted later: there is no later one any more. */
    private static Optional<RefusedClose> lastRefusal(ActivityFailure failure) {
        return Stream.<Throwable>iterate(failure, Objects::nonNull, Throwable::getCause)
                .filter(FailureType.NOT_ADMITTED::isOf)
                .map(cause -> ((ApplicationFailure) cause).getDetails().get(RefusedClose.class))
                .findFirst();
    }
}
