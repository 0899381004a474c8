package dev.berth.local.venue;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event of the book. The names below are stored: classes may be renamed, names may not.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "event")
@JsonSubTypes({
    @JsonSubTypes.Type(value = BookEvent.AccountOpened.class, name = "accountOpened"),
    @JsonSubTypes.Type(value = BookEvent.QuoteSet.class, name = "quoteSet"),
    @JsonSubTypes.Type(value = BookEvent.SessionSet.class, name = "sessionSet"),
    @JsonSubTypes.Type(value = BookEvent.SubmissionArrived.class, name = "submissionArrived"),
    @JsonSubTypes.Type(value = BookEvent.SubmissionJudged.class, name = "submissionJudged"),
    @JsonSubTypes.Type(value = BookEvent.OrderAccepted.class, name = "orderAccepted"),
    @JsonSubTypes.Type(value = BookEvent.OrderOpened.class, name = "orderOpened"),
    @JsonSubTypes.Type(value = BookEvent.OrderTriggered.class, name = "orderTriggered"),
    @JsonSubTypes.Type(value = BookEvent.OrderFilled.class, name = "orderFilled"),
    @JsonSubTypes.Type(value = BookEvent.OrderEnded.class, name = "orderEnded"),
    @JsonSubTypes.Type(value = BookEvent.OrderReplaced.class, name = "orderReplaced"),
    @JsonSubTypes.Type(value = BookEvent.LateExecution.class, name = "lateExecution"),
    @JsonSubTypes.Type(value = BookEvent.ExecutionBusted.class, name = "executionBusted"),
    @JsonSubTypes.Type(value = BookEvent.ExecutionCorrected.class, name = "executionCorrected")
})
sealed interface BookEvent {

    Instant time();

    /** The first use of a key id, with the SHA-256 (hex) of its secret. */
    record AccountOpened(UUID id, String keyId, String secretSha256, Instant time) implements BookEvent {}

    record QuoteSet(String symbol, VenueQuote quote, Instant time) implements BookEvent {}

    /** The session and, in milliseconds, by how much the venue's clock is ahead of real time. */
    record SessionSet(VenueSession session, long clockOffsetMillis, Instant time) implements BookEvent {}

    record SubmissionArrived(VenueArrival arrival) implements BookEvent {
        @Override
        public Instant time() {
            return arrival.time();
        }
    }

    record SubmissionJudged(UUID arrival, SubmissionVerdict verdict, Instant time) implements BookEvent {}

    /** A new order; {@code replaces} is the order that it replaces. */
    record OrderAccepted(
            UUID id,
            String account,
            VenueOrderTerms terms,
            @Nullable UUID replaces,
            Instant time) implements BookEvent {}

    /** An accepted order may trade now. */
    record OrderOpened(UUID order, Instant time) implements BookEvent {}

    /** The quote reached the stop price. */
    record OrderTriggered(UUID order, Instant time) implements BookEvent {}

    record OrderFilled(UUID order, Fill fill) implements BookEvent {
        @Override
        public Instant time() {
            return fill.time();
        }
    }

    /** An open order was canceled, rejected or expired. */
    record OrderEnded(UUID order, VenueOrderStatus status, Instant time) implements BookEvent {}

    record OrderReplaced(UUID order, UUID by, Instant time) implements BookEvent {}

    /** A late execution of a final order; its status stays. */
    record LateExecution(UUID order, Fill fill) implements BookEvent {
        @Override
        public Instant time() {
            return fill.time();
        }
    }

    /** An execution was busted. */
    record ExecutionBusted(UUID order, Fill fill, Instant time) implements BookEvent {}

    /** {@code fill} took the place of an execution. */
    record ExecutionCorrected(UUID order, Fill corrected, Fill fill, Instant time) implements BookEvent {}
}
