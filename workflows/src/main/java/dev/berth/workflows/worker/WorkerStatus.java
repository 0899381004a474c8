package dev.berth.workflows.worker;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What there is of a user's worker. Each state holds what is known in it and nothing else; which may follow which is in
 * {@link WorkerMoves}. A state on the way to another has a deadline, and {@link #next} says what happens when it passes.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "state")
@JsonSubTypes({
    @JsonSubTypes.Type(WorkerStatus.Terminated.class),
    @JsonSubTypes.Type(WorkerStatus.Claimed.class),
    @JsonSubTypes.Type(WorkerStatus.Launching.class),
    @JsonSubTypes.Type(WorkerStatus.Connecting.class),
    @JsonSubTypes.Type(WorkerStatus.Active.class),
    @JsonSubTypes.Type(WorkerStatus.HealthCheck.class),
    @JsonSubTypes.Type(WorkerStatus.Burying.class),
    @JsonSubTypes.Type(WorkerStatus.BackingOff.class),
    @JsonSubTypes.Type(WorkerStatus.Draining.class),
    @JsonSubTypes.Type(WorkerStatus.Suspended.class),
    @JsonSubTypes.Type(WorkerStatus.Failed.class)
})
public sealed interface WorkerStatus {
    Instant since();

    WorkerPhase phase();

    /** What the lifecycle does next by itself, and when it is due. */
    Next next();

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
     * @param at when it is due; absent when it waits for somebody
     */
    record Next(String action, @Nullable Instant at) {}

    /** There is none, and none is wanted. */
    @JsonTypeName("TERMINATED")
    record Terminated(Instant since, @Nullable String reason) implements WorkerStatus {
        @Override
        public WorkerPhase phase() {
            return WorkerPhase.TERMINATED;
        }

        @Override
        public Next next() {
            return new Next("starts a worker when an order or its user needs one", null);
        }
    }

    /** A claim is on its way to a pool worker. */
    @JsonTypeName("CLAIMED")
    record Claimed(Instant since, Instant deadline) implements WorkerStatus {
        @Override
        public WorkerPhase phase() {
            return WorkerPhase.CLAIMED;
        }

        @Override
        public Next next() {
            return new Next("voids the claim and runs a task, unless a pool worker answers", deadline);
        }
    }

    /**
     * A task was asked for.
     *
     * @param taskArn once ECS has said it
     */
    @JsonTypeName("LAUNCHING")
    record Launching(
            Instant since, Instant deadline, @Nullable String taskArn) implements WorkerStatus {
        @Override
        public WorkerPhase phase() {
            return WorkerPhase.LAUNCHING;
        }

        @Override
        public Next next() {
            return taskArn == null
                    ? new Next("runs the task as soon as a host has room", null)
                    : new Next("stops the task and runs another, unless its process answers", deadline);
        }
    }

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
            @Nullable String reason) implements WorkerStatus {
        @Override
        public WorkerPhase phase() {
            return WorkerPhase.CONNECTING;
        }

        @Override
        public Next next() {
            return new Next(
                    "tries again, or gives up after the last of %d attempts".formatted(WorkerPolicies.CONNECT_ATTEMPTS),
                    deadline);
        }
    }

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

        @Override
        public WorkerPhase phase() {
            return WorkerPhase.ACTIVE;
        }

        @Override
        public Next next() {
            return new Next("serves orders; stops when it is idle", null);
        }
    }

    /** Somebody doubts that it lives. */
    @JsonTypeName("HEALTH_CHECK")
    record HealthCheck(Instant since, Instant deadline, LiveWorker worker, String reason) implements WorkerStatus {
        @Override
        public WorkerPhase phase() {
            return WorkerPhase.HEALTH_CHECK;
        }

        @Override
        public Next next() {
            return new Next("replaces it, unless it answers", deadline);
        }
    }

    /** It is given up; its successor waits for the proof that it is dead, or for the end of its lease. */
    @JsonTypeName("BURYING")
    record Burying(Instant since, Instant deadline, LiveWorker worker, String reason) implements WorkerStatus {
        @Override
        public WorkerPhase phase() {
            return WorkerPhase.RECONNECTING;
        }

        @Override
        public Next next() {
            return new Next("starts the next worker once ECS says STOPPED, or the lease has surely run out", deadline);
        }
    }

    /** The last start failed, or too many died; the next waits a while. */
    @JsonTypeName("BACKING_OFF")
    record BackingOff(Instant since, Instant deadline, String reason) implements WorkerStatus {
        @Override
        public WorkerPhase phase() {
            return WorkerPhase.RECONNECTING;
        }

        @Override
        public Next next() {
            return new Next("starts the next worker", deadline);
        }
    }

    /**
     * It finishes what it has in hand.
     *
     * @param onlyIfIdle it may refuse, and goes on then
     */
    @JsonTypeName("DRAINING")
    record Draining(Instant since, Instant deadline, LiveWorker worker, String reason, boolean onlyIfIdle)
            implements WorkerStatus {
        @Override
        public WorkerPhase phase() {
            return WorkerPhase.DRAINING;
        }

        @Override
        public Next next() {
            return new Next("stops the task, once its sessions are closed", deadline);
        }
    }

    /** None may be started. */
    @JsonTypeName("SUSPENDED")
    record Suspended(Instant since, String reason) implements WorkerStatus {
        @Override
        public WorkerPhase phase() {
            return WorkerPhase.SUSPENDED;
        }

        @Override
        public Next next() {
            return new Next("waits until somebody resumes it; orders wait until their deadlines", null);
        }
    }

    /**
     * It could not be connected.
     *
     * @param retryAt before this the next need of an order starts none; absent when only new credentials, or somebody
     *     who says so, lead on
     */
    @JsonTypeName("FAILED")
    record Failed(Instant since, String reason, @Nullable Instant retryAt) implements WorkerStatus {
        @Override
        public WorkerPhase phase() {
            return WorkerPhase.FAILED;
        }

        @Override
        public Next next() {
            return retryAt == null
                    ? new Next("waits for other credentials, or for a start by its user", null)
                    : new Next("tries again when an order needs it", retryAt);
        }
    }
}
