package dev.berth.rest.order;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.berth.rest.Problem;
import dev.berth.workflows.order.OrderState;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;

/** What became of each order of a batch, in the batch's order. */
record BatchView(List<BatchedOrder> items) {

    /**
     * One order, as if it had been submitted alone.
     *
     * @param index the order's place in the batch, from 0
     * @param clientOrderId absent when the order has none that is valid
     * @param status the HTTP status that the order alone would have: 202 accepted, 200 for a
     *     repeated submission, 4xx and 5xx with a problem
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record BatchedOrder(
            int index,
            @Nullable String clientOrderId,
            int status,
            @Nullable OrderView order,
            @Nullable ProblemDetail problem) {
        static BatchedOrder of(int index, Submissions.Submission submission) {
            OrderState order = submission.order();
            HttpStatus status = submission.isNew() ? HttpStatus.ACCEPTED : HttpStatus.OK;
            return new BatchedOrder(
                    index, order.request().clientOrderId().value(), status.value(), OrderView.of(order), null);
        }

        static BatchedOrder of(int index, @Nullable String clientOrderId, Problem.Refusal refusal) {
            return new BatchedOrder(index, clientOrderId, refusal.status().value(), null, refusal.detail());
        }
    }
}
