package dev.berth.rest.risk;

import dev.berth.workflows.order.Reason;
import java.time.Duration;

/**
 * What came of a submission at the {@link AdmissionGate}; {@code active} is how many orders are,
 * this one included.
 */
public sealed interface AdmissionDecision {

    /**
     * It may be started.
     *
     * @param isNew false when it was counted before: it is submitted again
     * @param hasWorker whether a live worker of its user is there
     */
    record Admitted(boolean isNew, boolean hasWorker, long active) implements AdmissionDecision {}

    /**
     * A kill switch, a limit or the account's broker says no.
     *
     * @param counted it is counted as active nevertheless, until it is withdrawn
     */
    record Objected(Reason reason, long active, boolean counted) implements AdmissionDecision {}

    /**
     * More orders a second than its account may.
     *
     * @param early until the next would be on time
     */
    record TooFast(Duration early, long active) implements AdmissionDecision {}

    /**
     * Too many orders are active.
     *
     * @param ofUser those of its user, not of all
     */
    record Full(Drain drain, long active, boolean ofUser) implements AdmissionDecision {}

    /** Unknown, since Redis has no copy of switches and limits. */
    record NotLoaded() implements AdmissionDecision {}

    /**
     * How fast active orders get their answers, and how many others wait for a place.
     *
     * @param drained within the last seconds
     * @param refused within the last seconds
     */
    record Drain(long drained, long refused, int seconds) {}
}
