package dev.berth.workflows.worker;

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

    /**
     * Answers at once. Its answer is the receipt of a claim: from now on the epoch is live.
     *
     * @throws io.temporal.failure.ApplicationFailure {@link #WRONG_EPOCH}
     */
    @ActivityMethod(name = "attach")
    WorkerProcess attach(long epoch);

    /**
     * Opens the broker session and then begins to take orders. Already open: nothing happens.
     *
     * @throws io.temporal.failure.ApplicationFailure {@link #WRONG_EPOCH}, {@link #CREDENTIALS_REFUSED}
     */
    @ActivityMethod(name = "openSession")
    void openSession(long epoch, SealedCredentials credentials);

    /** Answers, and does nothing else: proof that the process runs. */
    @ActivityMethod(name = "ping")
    void ping(long epoch);

    /**
     * Takes no more orders, finishes the one in hand, closes the sessions, removes the mark, and ends the process
     * soon after it answered. Already closed: answers again.
     */
    @ActivityMethod(name = "closeSession")
    void closeSession(long epoch);
}
