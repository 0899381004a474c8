package dev.berth.workflows;

import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Every type of application failure that Berth throws, and whether Temporal retries it. */
public enum FailureType {
    /** The process has another epoch than the one asked for; another process may answer. */
    WRONG_EPOCH("wrong-epoch", true),
    /** The broker refused the account's credentials. */
    CREDENTIALS_REFUSED("credentials-refused", false),
    /** No credentials are stored for the account, or they were removed. */
    ACCOUNT_UNKNOWN("account-unknown", false),
    /**
     * The stored credentials do not open: they were changed or moved, or the key is another one.
     */
    ACCOUNT_UNREADABLE("account-unreadable", false),
    /** The account trades with real money, and such accounts are switched off. */
    ACCOUNT_LIVE_OFF("account-live-off", false),
    /** No host has room for one more task. */
    NO_ROOM("no-room", true),
    /** Launches of this image keep failing, so none is tried for a while. */
    LAUNCH_CIRCUIT_OPEN("launch-circuit-open", true),
    /**
     * ECS stopped counting the task without proof that its process is dead, and will say nothing
     * more of it.
     */
    STOPPED_WITHOUT_PROOF("stopped-without-proof", false),
    /** ECS has not stopped the task yet. */
    NOT_STOPPED_YET("not-stopped-yet", true),
    /**
     * ECS does not know the task, and has not been unsure for long enough to prove that the task
     * stopped.
     */
    UNKNOWN_TASK("unknown-task", true),
    /** The process that runs the activity shuts down. */
    INTERRUPTED("interrupted", true),
    /** Redis was unavailable lately: a missing heartbeat key proves nothing. */
    HEARTBEATS_UNKNOWN("heartbeats-unknown", true),
    /** Redis was unavailable lately: idle pool workers may not be listed yet. */
    POOL_NOT_LISTED("pool-not-listed", true),
    /** Too many questions wait for the broker. */
    BROKER_SLOW("broker-slow", true),
    /** The account has no open session. */
    NO_SESSION("no-session", true),
    /** What is left of the broker's request limit is kept for orders. */
    REQUEST_BUDGET("request-budget", false),
    /** The account's broker cannot do this. */
    NOT_SUPPORTED("not-supported", false),
    /**
     * The worker failed in a way that only its own code explains. The gateway writes it in place of
     * every failure that a worker may not say.
     */
    WORKER_FAILED("worker-failed", true),
    /**
     * The worker left before the task reached it, or the gateway could not read the task: nothing
     * was done.
     */
    UNDELIVERED("undelivered", true),
    /** What the worker answered is not an answer: null, out of range, or it does not parse. */
    NO_ANSWER("no-answer", false),
    /** A user's webhook did not answer with 2xx, or may not be called. */
    WEBHOOK_NOT_ANSWERED("webhook-not-answered", true),
    /** A user's webhook wants no more messages. */
    WEBHOOK_GONE("webhook-gone", false),
    /** No worker may serve the account now; the message says why. */
    ACCOUNT_NOT_SERVED("account-not-served", false),
    /** Another close of the account's positions did not end in time. */
    CLOSE_UNDER_WAY("close-under-way", false),
    /** An order was not admitted now, and may be later. */
    NOT_ADMITTED("not-admitted", true),
    /** An order was accepted so recently that nothing tells yet what it is. */
    ORDER_NOT_READABLE("order-not-readable", true),
    /** The order belongs to another user than the worker. */
    WRONG_USER("wrong-user", false),
    /** The workflow's arguments call for another workflow id. */
    WRONG_WORKFLOW_ID("wrong-workflow-id", false);

    private final String code;
    private final boolean retryable;

    FailureType(String code, boolean retryable) {
        this.code = code;
        this.retryable = retryable;
    }

    /** What histories and retry options call the type. */
    public String code() {
        return code;
    }

    /** Whether Temporal may retry it. */
    public boolean isRetryable() {
        return retryable;
    }

    public ApplicationFailure failure(String message) {
        return builder(message).build();
    }

    public ApplicationFailure failure(String message, Throwable cause) {
        return builder(message).setCause(cause).build();
    }

    /** The same, retried after {@code nextRetry} in place of the retry policy's interval. */
    public ApplicationFailure failure(String message, Duration nextRetry) {
        return builder(message).setNextRetryDelay(nextRetry).build();
    }

    /** The same, with a record that the workflow may read. */
    public ApplicationFailure failure(String message, Duration nextRetry, Object details) {
        return builder(message).setNextRetryDelay(nextRetry).setDetails(details).build();
    }

    private ApplicationFailure.Builder builder(String message) {
        return ApplicationFailure.newBuilder().setMessage(message).setType(code).setNonRetryable(!retryable);
    }

    /** The type of a failure; empty for one that is not Berth's. */
    public static Optional<FailureType> of(ApplicationFailure failure) {
        return Stream.of(values()).filter(type -> type.isOf(failure)).findFirst();
    }

    public boolean isOf(@Nullable Throwable failure) {
        return failure instanceof ApplicationFailure typed && code.equals(typed.getType());
    }
}
