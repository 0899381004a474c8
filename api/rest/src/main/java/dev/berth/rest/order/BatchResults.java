package dev.berth.rest.order;

import dev.berth.rest.Problem;
import dev.berth.workflows.order.OrderRequest;
import io.grpc.StatusRuntimeException;
import io.lettuce.core.RedisException;
import io.temporal.client.WorkflowQueryException;
import io.temporal.client.WorkflowServiceException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * The results of a batch. When a server does not answer, the orders behind are not tried: each
 * would wait for it again.
 */
final class BatchResults {
    private static final Logger LOG = LoggerFactory.getLogger(BatchResults.class);
    /** An order without an id and a key would get another id. */
    private static final String AGAIN = " Submit the order again under the clientOrderId of this item; it counts once.";

    private final List<BatchView.BatchedOrder> items = new ArrayList<>();
    private boolean isUnavailable;
    private long retryAfterSeconds;

    List<BatchView.BatchedOrder> items() {
        return items;
    }

    void add(int index, @Nullable String clientOrderId, Problem.Refusal refusal) {
        items.add(BatchView.BatchedOrder.of(index, clientOrderId, refusal));
        retryAfterSeconds =
                Math.max(retryAfterSeconds, refusal.retryAfterSeconds().orElse(0L));
    }

    /** The longest of the refused orders; 0 when none has one. */
    long retryAfterSeconds() {
        return retryAfterSeconds;
    }

    void submit(int index, OrderRequest request, Submissions.PendingSubmission submission) throws InterruptedException {
        String id = request.clientOrderId().value();
        if (isUnavailable) {
            add(
                    index,
                    id,
                    Problem.UNAVAILABLE.because(
                            "The order was not tried: one before it met a server without an answer." + AGAIN));
            return;
        }
        try {
            items.add(BatchView.BatchedOrder.of(index, submission.make()));
        } catch (Problem.Refusal refusal) {
            isUnavailable = refusal.problem() == Problem.UNAVAILABLE;
            add(index, id, refusal);
        } catch (RedisException
                | DataAccessException
                | StatusRuntimeException
                | WorkflowServiceException
                | WorkflowQueryException unavailable) {
            LOG.warn("an order of a batch was not accepted, a server does not answer: {}", unavailable.getMessage());
            isUnavailable = true;
            add(index, id, Problem.UNAVAILABLE.because("A server does not answer." + AGAIN));
        }
    }
}
