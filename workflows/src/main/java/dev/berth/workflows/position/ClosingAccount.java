package dev.berth.workflows.position;

import static dev.berth.workflows.WorkflowTasks.now;

import dev.berth.workflows.FailureType;
import dev.berth.workflows.account.AccountControl;
import dev.berth.workflows.account.AccountOrder;
import dev.berth.workflows.account.HeldPositions;
import dev.berth.workflows.order.Reason;
import dev.berth.workflows.worker.WorkerNeed;
import dev.berth.workflows.worker.WorkerRequests;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.workflow.Workflow;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The account of a close, through its user's worker. */
final class ClosingAccount {
    private final WorkerRequests workers =
            Workflow.newLocalActivityStub(WorkerRequests.class, PositionPolicies.ensure());
    private final ClosingOrders orders = Workflow.newActivityStub(ClosingOrders.class, PositionPolicies.unanswered());
    private final CloseRequest request;
    private final AccountControl account;

    ClosingAccount(CloseRequest request) {
        this.request = request;
        this.account = Workflow.newActivityStub(AccountControl.class, PositionPolicies.worker(request.userId()));
    }

    /**
     * Reads it as it is now. The order of the two reads matters: an order that reaches the venue
     * between them is in both.
     */
    AccountSnapshot read() {
        Instant deadline = now().plus(PositionPolicies.ACCOUNT_READ);
        while (true) {
            requireServed();
            try {
                Instant begunAt = now();
                List<UnansweredOrder> unanswered = orders.unanswered(request.userId(), request.account());
                HeldPositions holdings = account.holdings(request.account(), request.symbol());
                return new AccountSnapshot(begunAt, unanswered, holdings);
            } catch (ActivityFailure failure) {
                if (isLasting(failure) || !now().isBefore(deadline)) {
                    throw failure;
                }
            }
            Workflow.sleep(PositionPolicies.READ_PAUSE);
        }
    }

    /** Cancels them. The next read tells which are left, so a cancel without an answer is none. */
    void cancel(List<AccountOrder> exits) {
        for (AccountOrder exit : exits) {
            try {
                account.cancel(request.account(), exit.venueOrderId());
            } catch (ActivityFailure failure) {
                if (isLasting(failure)) {
                    throw failure;
                }
            }
        }
    }

    private void requireServed() {
        Reason refusal = ensure();
        if (refusal != null) {
            throw FailureType.ACCOUNT_NOT_SERVED.failure(refusal.toString());
        }
    }

    private @Nullable Reason ensure() {
        try {
            return workers.ensure(request.userId(), new WorkerNeed(request.account(), WorkerNeed.Why.ORDER));
        } catch (ActivityFailure lost) {
            // The next request may get through.
            return null;
        }
    }

    /** Whether another call would fail as well. The budget of requests has room again soon. */
    private static boolean isLasting(ActivityFailure failure) {
        return failure.getCause() instanceof ApplicationFailure cause
                && cause.isNonRetryable()
                && !FailureType.REQUEST_BUDGET.isOf(cause);
    }
}
