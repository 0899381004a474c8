package dev.berth.rest.account;

import dev.berth.activities.worker.TemporalWorkerRequests;
import dev.berth.rest.Problem;
import dev.berth.temporal.client.AccountWorkflowClient;
import dev.berth.workflows.FailureType;
import dev.berth.workflows.UserId;
import dev.berth.workflows.account.CancelVenueOrderOutcome;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.Reason;
import io.temporal.client.WorkflowFailedException;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.springframework.stereotype.Component;

/** Asks a user's worker about an account; starts the worker when the user has none. */
@Component
class AccountCalls {
    /** The broker's window has a minute, and half of it is free again before it ends. */
    private static final long BUDGET_RETRY_SECONDS = 30;

    private final AccountWorkflowClient workflows;
    private final TemporalWorkerRequests workers;
    private final AccountChoice choice;

    AccountCalls(AccountWorkflowClient workflows, TemporalWorkerRequests workers, AccountChoice choice) {
        this.workflows = workflows;
        this.workers = workers;
        this.choice = choice;
    }

    private interface WorkflowCall<T> {
        T execute() throws TimeoutException;
    }

    /**
     * The worker reads and reports the account.
     *
     * @throws Problem.Refusal when it did not in time
     */
    void read(UserId userId, AccountKey account, Duration within) {
        call(userId, account, within, () -> workflows.read(userId, account, within));
    }

    /**
     * The worker cancels an order at the venue.
     *
     * @throws Problem.Refusal when it did not in time
     */
    CancelVenueOrderOutcome cancel(UserId userId, AccountKey account, String venueOrderId, Duration within) {
        return call(userId, account, within, () -> workflows.cancel(userId, account, venueOrderId, within));
    }

    private <T> T call(UserId userId, AccountKey account, Duration within, WorkflowCall<T> call) {
        Reason refusal = workers.ensureSession(userId, choice.of(userId, account));
        if (refusal != null) {
            throw Problem.ACCOUNT_UNAVAILABLE.because(refusal.toString());
        }
        try {
            return call.execute();
        } catch (TimeoutException late) {
            throw unavailable(within);
        } catch (WorkflowFailedException failed) {
            throw refusal(failed, within);
        }
    }

    /** The problem for a workflow that asked a worker about an account, and failed. */
    static Problem.Refusal refusal(WorkflowFailedException failed, Duration within) {
        Optional<ApplicationFailure> failure = failure(failed);
        Optional<FailureType> type = failure.flatMap(FailureType::of);
        if (type.isEmpty()) {
            return unavailable(within);
        }
        return switch (type.get()) {
            case REQUEST_BUDGET ->
                Problem.REQUEST_BUDGET
                        .because("What is left of the broker's request limit is kept for orders. Ask again later, or"
                                + " without fresh=true.")
                        .after(BUDGET_RETRY_SECONDS);
            case NOT_SUPPORTED -> Problem.NOT_SUPPORTED.because("The adapter of this account's broker cannot do this.");
            case CREDENTIALS_REFUSED ->
                Problem.CREDENTIALS_REFUSED.because("Store the right ones: PUT /v1/accounts/{broker}/{market}/"
                        + "{environment}/{accountId}/credentials.");
            case ACCOUNT_NOT_SERVED, CLOSE_UNDER_WAY ->
                Problem.ACCOUNT_UNAVAILABLE.because(failure.get().getOriginalMessage());
            default -> unavailable(within);
        };
    }

    private static Optional<ApplicationFailure> failure(Throwable failed) {
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            if (cause instanceof ApplicationFailure typed) {
                return Optional.of(typed);
            }
        }
        return Optional.empty();
    }

    private static Problem.Refusal unavailable(Duration within) {
        return Problem.ACCOUNT_UNAVAILABLE.because("Neither worker nor broker answered within " + within.toSeconds()
                + " s. GET /v1/worker says what the worker waits for; then repeat the call.");
    }
}
