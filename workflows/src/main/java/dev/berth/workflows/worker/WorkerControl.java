package dev.berth.workflows.worker;

import dev.berth.workflows.FailureType;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.SealedCredentials;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** What a worker process does for its lifecycle, on its control queue. */
@ActivityInterface
public interface WorkerControl {
    /** For {@link #attach}: the process that serves the user, whatever its epoch. */
    long ANY_EPOCH = 0;

    /**
     * Answers at once, with the same as {@link WorkerLifecycleWorkflow#attached}.
     *
     * @param epoch the one that is meant, or {@link #ANY_EPOCH}
     * @throws io.temporal.failure.ApplicationFailure {@link FailureType#WRONG_EPOCH}
     */
    @ActivityMethod(name = "attach")
    WorkerProcess attach(long epoch);

    /**
     * Opens the session of one account, and begins to take orders with the first. Already open with
     * credentials of this version or a newer one: nothing happens. Open with older ones: the new
     * session takes its place, and a call that is under way on the old one is finished there.
     *
     * @throws io.temporal.failure.ApplicationFailure {@link FailureType#WRONG_EPOCH},
     *     {@link FailureType#CREDENTIALS_REFUSED}
     */
    @ActivityMethod(name = "openSession")
    void openSession(long epoch, SealedCredentials credentials);

    /**
     * Closes the session of one account. A call under way is finished. None open: nothing happens.
     */
    @ActivityMethod(name = "dropSession")
    void dropSession(long epoch, AccountKey account);

    /** Answers, and does nothing else: proof that the process runs. */
    @ActivityMethod(name = "ping")
    void ping(long epoch);

    /**
     * Deletes the heartbeat key, so that new orders ask for another worker; takes no more orders,
     * finishes what is in hand or still arrives; closes the sessions; and ends the process soon
     * after it answered. Already closed: answers again.
     *
     * @param onlyIfIdle refuse when an order is in hand, came within the idle time, or works at the
     *     venue
     */
    @ActivityMethod(name = "closeSession")
    CloseOutcome closeSession(long epoch, boolean onlyIfIdle);

    /**
     * As {@link #closeSession}, but refuses while an order is being sent. Orders that work at the
     * venue do not count: the next process follows them.
     */
    @ActivityMethod(name = "closeIfQuiet")
    CloseOutcome closeIfQuiet(long epoch);
}
