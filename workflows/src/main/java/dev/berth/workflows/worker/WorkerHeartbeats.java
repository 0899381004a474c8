package dev.berth.workflows.worker;

import dev.berth.workflows.UserId;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.time.Duration;

/** What Redis knows of a user's worker. */
@ActivityInterface
public interface WorkerHeartbeats {
    /**
     * A worker whose epoch was raised cannot renew its lease of 25 s, which runs from the sending
     * of its last renewal. This long after that renewal reached Redis it surely cannot send: 3 s
     * for clocks that drift apart.
     */
    Duration LEASE_OVER = Duration.ofSeconds(28);

    /** What the heartbeat key proves. */
    enum HeartbeatKeyState {
        /** A live worker renews it. */
        PRESENT,
        ABSENT,
        /** Absent, but Redis itself was unavailable within the last 60 s: that proves nothing. */
        UNKNOWN
    }

    /**
     * Raises the user's epoch, which only ever rises.
     *
     * @return {@code atLeast}, or the stored epoch when that is higher already
     */
    @ActivityMethod(name = "raiseEpoch")
    long raiseEpoch(UserId userId, long atLeast);

    /** Whether a live worker renews the user's heartbeat key. */
    @ActivityMethod(name = "readHeartbeatKey")
    HeartbeatKeyState readKey(UserId userId);

    /**
     * How long the lease of this epoch's process may last yet, when its epoch has been raised:
     * counted from its last renewal. Redis cannot say, or was unavailable within the last 60 s: the
     * longest that a lease lasts.
     */
    @ActivityMethod(name = "leaseLeft")
    Duration leaseLeft(UserId userId, long epoch);

    /**
     * Whether a live worker of another user has this task. Redis cannot say, or knows no such task:
     * false.
     */
    @ActivityMethod(name = "isWorkerOfAnother")
    boolean isOfAnother(UserId userId, String taskArn);

    /** Whether orders of the user wait for the venue's first answer. Redis has lost them: false. */
    @ActivityMethod(name = "hasWaitingOrders")
    boolean hasWaitingOrders(UserId userId);

    /**
     * Removes what a dead worker of this epoch left. Nothing there, or a newer one's: nothing
     * happens.
     */
    @ActivityMethod(name = "deleteHeartbeatKey")
    void deleteKey(UserId userId, long epoch);
}
