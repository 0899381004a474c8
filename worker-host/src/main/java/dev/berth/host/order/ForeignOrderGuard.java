package dev.berth.host.order;

import dev.berth.workflows.FailureType;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.OrderRequest;

/** Rejects orders of other users: this process has the sessions of one. */
final class ForeignOrderGuard {
    private ForeignOrderGuard() {}

    /** @throws io.temporal.failure.ApplicationFailure {@link FailureType#WRONG_USER} */
    static void require(UserId own, OrderRequest order) {
        if (!order.userId().equals(own)) {
            throw FailureType.WRONG_USER.failure("The worker of " + own + " rejects an order of " + order.userId());
        }
    }
}
