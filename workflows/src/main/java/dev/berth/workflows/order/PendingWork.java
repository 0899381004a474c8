package dev.berth.workflows.order;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What an order's workflow remembers beside the order: a new run goes on with it. The read model
 * does not have it, since a run that begins from there must look for itself.
 */
public record PendingWork(UserRequests requests, Dispatch dispatch, Venue venue) {
    static final PendingWork NONE = new PendingWork(
            new UserRequests(false, null, null),
            new Dispatch(null, null, false),
            new Venue(0, null, null, null, false));

    /**
     * What is requested and not done yet.
     *
     * @param terms that the order is to get
     * @param refusal why no worker can send the order, as long as it was not sent
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record UserRequests(
            boolean cancel,
            @Nullable OrderTerms terms,
            @Nullable Reason refusal) {}

    /**
     * On the way to the venue.
     *
     * @param declines by workers, one after the other
     * @param declined the last of them
     * @param askedAfterReset whether the venue was asked for what runs before a reset may have sent
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Dispatch(
            @Nullable Backoff declines, SubmitOutcome.@Nullable Declined declined, boolean askedAfterReset) {}

    /**
     * Questions to the venue.
     *
     * @param checks in a row that brought nothing new
     * @param unanswered questions in a row
     * @param absentSince when the venue first did not have what is looked for
     * @param doubtful a replacement that may or may not be at the venue
     * @param oversized whether the version at the venue may fill more than is wanted
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Venue(
            int checks,
            @Nullable Backoff unanswered,
            @Nullable Instant absentSince,
            @Nullable DoubtfulReplacement doubtful,
            boolean oversized) {

        Venue checked() {
            return new Venue(checks + 1, unanswered, absentSince, doubtful, oversized);
        }

        /** The next check comes soon. */
        Venue active() {
            return new Venue(0, unanswered, absentSince, doubtful, oversized);
        }

        Venue unanswered(@Nullable Backoff backoff) {
            return new Venue(checks, backoff, absentSince, doubtful, oversized);
        }

        Venue absentSince(@Nullable Instant since) {
            return new Venue(checks, unanswered, since, doubtful, oversized);
        }

        /** Nothing of the question that is answered counts for the next one. */
        Venue resolved() {
            return new Venue(checks, null, null, doubtful, oversized);
        }

        /** Look-ups of another version count for nothing. */
        Venue doubtful(@Nullable DoubtfulReplacement replacement) {
            return new Venue(checks, unanswered, null, replacement, oversized);
        }

        Venue oversized(boolean mayFillMore) {
            return new Venue(checks, unanswered, absentSince, doubtful, mayFillMore);
        }
    }

    /** The replacement of version {@code current} that was tried last. */
    public record DoubtfulReplacement(int current, OrderTerms terms) {}

    PendingWork with(UserRequests next) {
        return new PendingWork(next, dispatch, venue);
    }

    PendingWork with(Dispatch next) {
        return new PendingWork(requests, next, venue);
    }

    PendingWork with(Venue next) {
        return new PendingWork(requests, dispatch, next);
    }
}
