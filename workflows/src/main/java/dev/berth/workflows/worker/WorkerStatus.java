package dev.berth.workflows.worker;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of a user's worker. Each state holds what is known in it and nothing else. A state on
 * the way to another has a deadline, and {@link #next} says what happens when it passes.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "state")
@JsonSubTypes({
    @JsonSubTypes.Type(WorkerStatus.Terminated.class),
    @JsonSubTypes.Type(WorkerStatus.Claimed.class),
    @JsonSubTypes.Type(WorkerStatus.Launching.class),
    @JsonSubTypes.Type(WorkerStatus.Connecting.class),
    @JsonSubTypes.Type(WorkerStatus.Active.class),
    @JsonSubTypes.Type(WorkerStatus.HealthCheck.class),
    @JsonSubTypes.Type(WorkerStatus.AwaitingStop.class),
    @JsonSubTypes.Type(WorkerStatus.BackingOff.class),
    @JsonSubTypes.Type(WorkerStatus.Draining.class),
    @JsonSubTypes.Type(WorkerStatus.Suspended.class),
    @JsonSubTypes.Type(WorkerStatus.Failed.class)
})
public sealed interface WorkerStatus {
    Instant since();

    default WorkerPhase phase() {
        return switch (this) {
            case Terminated _ -> WorkerPhase.TERMINATED;
            case Claimed _ -> WorkerPhase.CLAIMED;
            case Launching _ -> WorkerPhase.LAUNCHING;
            case Connecting _ -> WorkerPhase.CONNECTING;
            case Active it -> it.hasLostSessions() ? WorkerPhase.CONNECTING : WorkerPhase.ACTIVE;
            case HealthCheck _ -> WorkerPhase.HEALTH_CHECK;
            case AwaitingStop _, BackingOff _ -> WorkerPhase.RECONNECTING;
            case Draining _ -> WorkerPhase.DRAINING;
            case Suspended _ -> WorkerPhase.SUSPENDED;
            case Failed _ -> WorkerPhase.FAILED;
        };
    }

    /** What the lifecycle does next by itself, and when it is due. */
    default Next next() {
        return switch (this) {
            case Terminated _ -> new Next("starts a worker when an order or its user needs one", null);
            case Claimed it -> new Next("voids the claim and runs a task, unless a pool worker answers", it.deadline());
            case Launching it ->
                it.taskArn() == null
                        ? new Next("runs the task as soon as a host has room", null)
                        : new Next("stops the task and runs another, unless its process answers", it.deadline());
            case Connecting it ->
                new Next(
                        "tries again, or gives up after the last of %s attempts"
                                .formatted(WorkerPolicies.CONNECT_ATTEMPTS),
                        it.deadline());
            case Active it ->
                it.hasLostSessions()
                        ? new Next(
                                "opens a session later, or when other credentials are stored; stops when it is idle",
                                null)
                        : new Next("serves orders; stops when it is idle", null);
            case HealthCheck it -> new Next("replaces it, unless it answers", it.deadline());
            case AwaitingStop it ->
                new Next(
                        "starts the next worker once ECS says STOPPED, or the lease has surely run out", it.deadline());
            case BackingOff it -> new Next("starts the next worker", it.deadline());
            case Draining it -> new Next("stops the task, once its sessions are closed", it.deadline());
            case Suspended _ -> new Next("waits for a resume; orders wait until their deadlines", null);
            case Failed it ->
                new Next(
                        "tries again when an order needs it; at once with other credentials, or when its user starts it",
                        it.retryAt());
        };
    }

    /** No process, and nothing under way to one. */
    @JsonIgnore
    default boolean isStopped() {
        return this instanceof Terminated
                || this instanceof Suspended
                || this instanceof Failed
                || this instanceof BackingOff;
    }

    /**
     * Which state may follow which. A state may follow itself with other details, such as the next
     * attempt.
     */
    default boolean mayBecome(WorkerStatus next) {
        return getClass() == next.getClass()
                || switch (this) {
                    // A start, or another state without a process. Connecting at once is the
                    // adoption of a live process.
                    case Terminated _, Suspended _, Failed _, BackingOff _ ->
                        next instanceof Claimed
                                || next instanceof Launching
                                || next instanceof Connecting
                                || next.isStopped();
                    case Claimed _ -> next instanceof Connecting || next instanceof Launching || next.isStopped();
                    case Launching _ -> next instanceof Connecting || next.isStopped();
                    case Connecting _ -> next instanceof Active || next instanceof AwaitingStop || next.isStopped();
                    case Active _ ->
                        next instanceof HealthCheck || next instanceof AwaitingStop || next instanceof Draining;
                    case HealthCheck _ ->
                        next instanceof Active || next instanceof AwaitingStop || next instanceof Draining;
                    // Busy, it goes on. After a hand-over the next start begins at once.
                    case Draining _ ->
                        next instanceof Active
                                || next instanceof AwaitingStop
                                || next instanceof Claimed
                                || next instanceof Launching
                                || next.isStopped();
                    case AwaitingStop _ -> next instanceof Claimed || next instanceof Launching || next.isStopped();
                };
    }

    /** The process, in the states that have one. */
    default @Nullable LiveWorker worker() {
        return null;
    }

    default @Nullable String reason() {
        return null;
    }

    /**
     * The next step.
     *
     * @param at when it is due; absent when it waits for a signal
     */
    record Next(String action, @Nullable Instant at) {}

    /** There is none, and none is wanted. */
    @JsonTypeName("TERMINATED")
    record Terminated(Instant since, @Nullable String reason) implements WorkerStatus {}

    /**
     * A claim is on its way to a pool worker.
     *
     * @param taskId of the pool worker that was reserved
     */
    @JsonTypeName("CLAIMED")
    record Claimed(Instant since, Instant deadline, String taskId) implements WorkerStatus {}

    /**
     * A task was asked for.
     *
     * @param taskArn once ECS has answered
     */
    @JsonTypeName("LAUNCHING")
    record Launching(
            Instant since, Instant deadline, @Nullable String taskArn) implements WorkerStatus {}

    /**
     * The process opens its first session.
     *
     * @param attempt 1 for the first
     * @param reason why the attempt before failed
     */
    @JsonTypeName("CONNECTING")
    record Connecting(
            Instant since,
            Instant deadline,
            LiveWorker worker,
            int attempt,
            @Nullable String reason) implements WorkerStatus {}

    /**
     * It serves orders.
     *
     * @param reason why an account that is needed has no session; absent when all have one
     */
    @JsonTypeName("ACTIVE")
    record Active(
            Instant since, LiveWorker worker, @Nullable String reason) implements WorkerStatus {
        public Active(Instant since, LiveWorker worker) {
            this(since, worker, null);
        }

        /** Whether every session that it had is refused now: it serves nothing until one opens. */
        boolean hasLostSessions() {
            return reason != null && worker.sessions().isEmpty();
        }
    }

    /** A signal doubts that it lives. */
    @JsonTypeName("HEALTH_CHECK")
    record HealthCheck(Instant since, Instant deadline, LiveWorker worker, String reason) implements WorkerStatus {}

    /**
     * It is given up; its successor waits for the proof that it is dead, or for the end of its
     * lease.
     */
    @JsonTypeName("AWAITING_STOP")
    record AwaitingStop(Instant since, Instant deadline, LiveWorker worker, String reason) implements WorkerStatus {}

    /** The last start failed, or too many died; the next waits a while. */
    @JsonTypeName("BACKING_OFF")
    record BackingOff(Instant since, Instant deadline, String reason) implements WorkerStatus {}

    /**
     * It finishes what it has in hand.
     *
     * @param onlyIfIdle it may refuse, and goes on then
     */
    @JsonTypeName("DRAINING")
    record Draining(Instant since, Instant deadline, LiveWorker worker, String reason, boolean onlyIfIdle)
            implements WorkerStatus {}

    /** None may be started. */
    @JsonTypeName("SUSPENDED")
    record Suspended(Instant since, String reason) implements WorkerStatus {}

    /**
     * It could not be connected.
     *
     * @param retryAt before this the next need of an order starts none; absent when only new
     *     credentials, or a forced start, lead on
     */
    @JsonTypeName("FAILED")
    record Failed(Instant since, String reason, @Nullable Instant retryAt) implements WorkerStatus {}
}
