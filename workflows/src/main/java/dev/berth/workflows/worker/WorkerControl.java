package dev.berth.workflows.worker;

import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.SealedCredentials;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** What a worker does with itself, on its control queue. */
@ActivityInterface
public interface WorkerControl {
    /** Failure type: the process has another epoch than the one asked for. Retryable: another process may answer. */
    String WRONG_EPOCH = "wrong-epoch";
    /** Failure type: the broker refused the credentials. Not retryable. */
    String CREDENTIALS_REFUSED = "credentials-refused";

    /** For {@link #attach}: whoever serves the user, whatever its epoch. */
    long ANY_EPOCH = 0;

    /**
     * Answers at once, with what {@link WorkerLifecycleWorkflow#attached} said, or should have.
     *
     * @param epoch the one that is meant, or {@link #ANY_EPOCH}
     * @throws io.temporal.failure.ApplicationFailure {@link #WRONG_EPOCH}
     */
    @ActivityMethod(name = "attach")
    WorkerProcess attach(long epoch);

    /**
     * Opens the session of one account, and begins to take orders with the first. Already open with credentials of
     * this version or a newer one: nothing happens. Open with older ones: the new session takes its place, and a call
     * that is under way on the old one is finished there.
     *
     * @throws io.temporal.failure.ApplicationFailure {@link #WRONG_EPOCH}, {@link #CREDENTIALS_REFUSED}
     */
    @ActivityMethod(name = "openSession")
    void openSession(long epoch, SealedCredentials credentials);

    /** Closes the session of one account. A call under way is finished. None open: nothing happens. */
    @ActivityMethod(name = "dropSession")
    void dropSession(long epoch, AccountKey account);

    /** Answers, and does nothing else: proof that the process runs. */
    @ActivityMethod(name = "ping")
    void ping(long epoch);

    /**
     * Removes the mark, so that new orders ask for another worker; takes no more orders, finishes what is in hand or
     * still arrives; closes the sessions; and ends the process soon after it answered. Already closed: answers again.
     *
     * @param onlyIfIdle refuse when an order is in hand, came within the idle time, or works at the venue
     */
    @ActivityMethod(name = "closeSession")
    CloseOutcome closeSession(long epoch, boolean onlyIfIdle);
}
