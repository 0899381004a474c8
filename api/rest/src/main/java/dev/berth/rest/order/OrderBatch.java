package dev.berth.rest.order;

import dev.berth.rest.Problem;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.TraceContext;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.OrderRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Submits many orders of one user, one after the other. Each stands alone, and may be submitted
 * again alone or in a batch.
 */
@Component
class OrderBatch {
    private final OrderValidator validator;
    private final Submissions submissions;

    OrderBatch(OrderValidator validator, Submissions submissions) {
        this.validator = validator;
        this.submissions = submissions;
    }

    /** An order of the batch, valid or refused. */
    private record Candidate(
            @Nullable String clientOrderId, @Nullable OrderRequest request, Problem.@Nullable Refusal refusal) {}

    /**
     * Submits them.
     *
     * @param key of the whole batch: an order without an id of its own gets one that follows from
     *     it
     * @throws Problem.Refusal when the batch is none, or all were to be accepted and some cannot be
     */
    List<BatchView.BatchedOrder> submit(UserId userId, NewBatch batch, Optional<String> key, TraceContext trace)
            throws InterruptedException {
        List<Candidate> candidates = candidates(userId, batch, key, trace);
        BatchResults results = new BatchResults();
        if (Boolean.TRUE.equals(batch.allOrNothing())) {
            submitAll(candidates, results);
        } else {
            for (Candidate candidate : candidates) {
                submit(candidate, results);
            }
        }
        return results.items();
    }

    private List<Candidate> candidates(UserId userId, NewBatch batch, Optional<String> key, TraceContext trace) {
        List<@Nullable NewOrder> given = Objects.requireNonNullElse(batch.orders(), List.of());
        if (given.isEmpty() || given.size() > NewBatch.MOST) {
            throw Problem.INVALID_BATCH.because("orders has 1 to " + NewBatch.MOST + " orders.");
        }
        Set<String> ids = new HashSet<>();
        List<Candidate> candidates = new ArrayList<>();
        for (int at = 0; at < given.size(); at++) {
            String number = "-" + (at + 1);
            candidates.add(candidate(userId, given.get(at), key.map(whole -> whole + number), trace, ids));
        }
        return candidates;
    }

    private Candidate candidate(
            UserId userId, @Nullable NewOrder order, Optional<String> key, TraceContext trace, Set<String> ids) {
        if (order == null) {
            return new Candidate(null, null, Problem.INVALID_ORDER.because("An order of the batch is null."));
        }
        String id = order.clientOrderId();
        try {
            OrderRequest request = validator
                    .accept(userId, order, id == null ? key : Optional.empty())
                    .traced(trace);
            String accepted = request.clientOrderId().value();
            if (!ids.add(accepted)) {
                throw Problem.DUPLICATE_CLIENT_ORDER_ID.because(
                        "Client order id " + accepted + " stands twice in the batch.");
            }
            return new Candidate(accepted, request, null);
        } catch (Problem.Refusal refusal) {
            String valid = id == null
                    ? null
                    : ClientOrderId.parse(id).map(ClientOrderId::value).orElse(null);
            return new Candidate(valid, null, refusal);
        }
    }

    private void submitAll(List<Candidate> candidates, BatchResults results) throws InterruptedException {
        BatchResults refused = new BatchResults();
        List<OrderRequest> requests = new ArrayList<>();
        for (Candidate candidate : candidates) {
            if (candidate.refusal != null) {
                refused.add(candidate.clientOrderId, candidate.refusal);
            } else {
                requests.add(Objects.requireNonNull(candidate.request));
            }
        }
        if (refused.items().isEmpty()) {
            submissions
                    .submitAll(requests, results::submit)
                    .forEach((request, refusal) ->
                            refused.add(request.clientOrderId().value(), refusal));
        }
        if (!refused.items().isEmpty()) {
            throw Problem.BATCH_REFUSED
                    .because("Mend or leave out the orders that items names, or wait where their status is 429 or"
                            + " 503, and submit the batch again.")
                    .with("items", refused.items());
        }
    }

    private void submit(Candidate candidate, BatchResults results) throws InterruptedException {
        if (candidate.refusal != null) {
            results.add(candidate.clientOrderId, candidate.refusal);
            return;
        }
        OrderRequest request = Objects.requireNonNull(candidate.request);
        results.submit(request, () -> submissions.submit(request, Duration.ZERO));
    }
}
