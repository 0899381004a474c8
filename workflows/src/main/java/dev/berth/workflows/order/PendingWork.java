package dev.berth.workflows.order;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What an order's workflow remembers beside the order: a new run goes on with it. The read model
 * does not have it, since a run that begins from there must look for itself.
 *
 * @param reports that are not applied yet, oldest first
 * @param interrupted whether a report or request came that the step in hand does not know
 * @param pause before the next step; null when there is none
 */
@RecordBuilder
public record PendingWork(
        UserRequests requests,
        Dispatch dispatch,
        Venue venue,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ExecutionReport> reports,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean interrupted,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Pause pause)
        implements PendingWorkBuilder.With {
    static final PendingWork NONE = new PendingWork(
            new UserRequests(false, null, null, null),
            new Dispatch(null, null, false, false, false),
            new Venue(0, false, null, null, null, false),
            List.of(),
            false,
            null);

    public PendingWork {
        reports = reports == null ? List.of() : List.copyOf(reports);
    }

    /** A report or request came: it ends the pause, and the step in hand begins none. */
    PendingWork interrupt() {
        return withInterrupted(true).withPause(null);
    }

    PendingWork reported(ExecutionReport report) {
        return withReports(Stream.concat(reports.stream(), Stream.of(report)).toList())
                .interrupt();
    }

    /** A step begins, and knows of everything that came. */
    PendingWork stepBegun() {
        return withInterrupted(false).withPause(null);
    }

    PendingWork pausedUntil(Instant time, String before) {
        return interrupted ? this : withPause(new Pause(time, before));
    }

    /** Whether a request of the user is open, or a replacement whose outcome is unknown. */
    boolean isRequested() {
        return requests.cancel() || requests.terms() != null || venue.unresolvedReplacement() != null;
    }

    /** Of an order that is over only late reports count. */
    PendingWork afterEnd() {
        return NONE.withReports(reports);
    }

    /**
     * Nothing is to do until then, unless a report or request comes.
     *
     * @param before why, or what comes next: an operator reads it beside the timer in the Web UI
     */
    public record Pause(Instant until, String before) {}

    /**
     * What is requested and not done yet.
     *
     * @param terms that the order is to get
     * @param refusal why no worker can send the order, as long as it was not sent
     * @param resolution what a person found at the broker
     */
    @RecordBuilder
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record UserRequests(
            boolean cancel,
            @Nullable OrderTerms terms,
            @Nullable Reason refusal,
            @Nullable OrderResolution resolution) implements PendingWorkUserRequestsBuilder.With {}

    /**
     * On the way to the venue.
     *
     * @param declines by workers, one after the other
     * @param declined the last of them
     * @param askedAfterReset whether the venue was asked for what runs before a reset may have sent
     * @param hasWorker whether the user's worker renewed its heartbeat at admission, and nothing
     *     told since that it is missing
     * @param resolvedAbsent whether a person found that the venue does not have it: the next
     *     attempt is sent, whatever an earlier one may have written
     */
    @RecordBuilder
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Dispatch(
            @Nullable Backoff declines,
            SubmitOutcome.@Nullable Declined declined,
            boolean askedAfterReset,
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean hasWorker,
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean resolvedAbsent)
            implements PendingWorkDispatchBuilder.With {}

    /**
     * Questions to the venue.
     *
     * @param checks in a row that brought nothing new
     * @param streamed whether the last check found a session that surely hears of every change
     * @param unanswered questions in a row
     * @param absentSince when the venue first did not have what is looked for
     * @param unresolvedReplacement a replacement that may or may not be at the venue
     * @param mayOverfill whether the version at the venue may fill more than is wanted
     */
    @RecordBuilder
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Venue(
            int checks,
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean streamed,
            @Nullable Backoff unanswered,
            @Nullable Instant absentSince,
            @Nullable UnresolvedReplacement unresolvedReplacement,
            boolean mayOverfill)
            implements PendingWorkVenueBuilder.With {

        Venue checked(boolean isStreamed) {
            return withChecks(checks + 1).withStreamed(isStreamed);
        }

        /** The next check comes soon. */
        Venue active() {
            return withChecks(0);
        }

        /** Nothing of the question that is answered counts for the next one. */
        Venue resolved() {
            return withUnanswered(null).withAbsentSince(null);
        }

        /** Look-ups of another version count for nothing. */
        Venue resolving(@Nullable UnresolvedReplacement replacement) {
            return withUnresolvedReplacement(replacement).withAbsentSince(null);
        }
    }

    /** The replacement of version {@code current} that was tried last. */
    public record UnresolvedReplacement(int current, OrderTerms terms) {}
}
