package dev.berth.acceptance.rest;

import static dev.berth.acceptance.rest.JsonRecords.required;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A worker as the API shows it. A list of workers has some of the fields, and an answer with an
 * error none. A field that every worker has is required: to read it where it is absent is an
 * {@link AssertionError}.
 *
 * @param since when the state began
 * @param requestedAt when the current worker was requested
 * @param sessions the accounts whose sessions are open
 * @param unproven earlier workers whose stop is not confirmed
 */
public record Worker(
        @Nullable String userId,
        @Nullable String state,
        @Nullable Long epoch,
        @Nullable String taskArn,
        @Nullable String host,
        @Nullable Long pid,
        @Nullable String origin,
        @Nullable String reason,
        @Nullable Instant since,
        @Nullable Instant requestedAt,
        @Nullable Long heartbeatAgeMillis,
        @Nullable String currentOrder,
        @Nullable Instant lastOrderAt,
        @Nullable List<String> sessions,
        @Nullable Integer requestsUsed,
        @Nullable Next next,
        @Nullable String queue,
        @Nullable Instant launchedAt,
        @Nullable String version,
        @Nullable Integer deaths,
        @Nullable Boolean crashLooping,
        @Nullable List<UnconfirmedStop> unproven) {

    /** The next action without an external event. */
    public record Next(String action, @Nullable Instant at) {}

    /** An earlier worker that may still run. */
    public record UnconfirmedStop(long epoch, String taskArn) {}

    /** Whether the state is one of these. */
    public boolean isIn(String... states) {
        return Arrays.asList(states).contains(state);
    }

    /** With an order in hand an active worker is PROCESSING. */
    public boolean isServing() {
        return isIn("ACTIVE", "PROCESSING");
    }

    /** The last part of the task's ARN. */
    public String taskId() {
        return taskArn().substring(taskArn().lastIndexOf('/') + 1);
    }

    @Override
    public Long epoch() {
        return required(epoch, "epoch");
    }

    @Override
    public String taskArn() {
        return required(taskArn, "taskArn");
    }

    @Override
    public Long pid() {
        return required(pid, "pid");
    }

    @Override
    public Instant since() {
        return required(since, "since");
    }

    @Override
    public List<String> sessions() {
        return required(sessions, "sessions");
    }

    @Override
    public Next next() {
        return required(next, "next");
    }

    @Override
    public Integer deaths() {
        return required(deaths, "deaths");
    }

    @Override
    public List<UnconfirmedStop> unproven() {
        return required(unproven, "unproven");
    }
}
