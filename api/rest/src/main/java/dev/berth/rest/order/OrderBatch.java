package dev.berth.rest.order;

import dev.berth.rest.Problem;
import dev.berth.rest.RequestBodyErrors;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Hashes;
import dev.berth.workflows.TraceContext;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.OrderRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.util.TokenBuffer;

/**
 * Submits many orders of one user, one after the other. Each stands alone, and may be submitted
 * again alone or in a batch.
 */
@Component
class OrderBatch {
    private final JsonMapper json;
    private final OrderValidator validator;
    private final BatchKeys keys;
    private final Submissions submissions;

    OrderBatch(JsonMapper json, OrderValidator validator, BatchKeys keys, Submissions submissions) {
        this.json = json;
        this.validator = validator;
        this.keys = keys;
        this.submissions = submissions;
    }

    /**
     * An order of the batch, valid or refused.
     *
     * @param index its place, from 0
     * @param content equal for equal orders
     */
    private record Candidate(
            int index,
            @Nullable String clientOrderId,
            String content,
            @Nullable OrderRequest request,
            Problem.@Nullable Refusal refusal) {}

    /**
     * Submits them.
     *
     * @param key of the whole batch: an order without an id of its own gets one that follows from
     *     it
     * @throws Problem.Refusal when the batch is none, the key is another batch's, or all were to be
     *     accepted and some cannot be
     */
    List<BatchView.BatchedOrder> submit(UserId userId, NewBatch batch, Optional<String> key, TraceContext trace)
            throws InterruptedException {
        key.ifPresent(BatchKeys::checked);
        List<Candidate> candidates = candidates(userId, batch, key, trace);
        boolean isNew = key.isPresent() && keys.assign(userId, key.get(), content(candidates));
        BatchResults results = new BatchResults();
        if (!Boolean.TRUE.equals(batch.allOrNothing())) {
            for (Candidate candidate : candidates) {
                submit(candidate, results);
            }
            return results.items();
        }
        try {
            submitAll(candidates, results);
            return results.items();
        } catch (Problem.Refusal refusal) {
            if (isNew) {
                keys.release(userId, key.get());
            }
            throw refusal;
        }
    }

    private static String content(List<Candidate> candidates) {
        return Hashes.sha256(candidates.stream().map(Candidate::content).collect(Collectors.joining("\n")));
    }

    private List<Candidate> candidates(UserId userId, NewBatch batch, Optional<String> key, TraceContext trace) {
        List<@Nullable TokenBuffer> given = Objects.requireNonNullElse(batch.orders(), List.of());
        if (given.isEmpty() || given.size() > NewBatch.MOST) {
            throw Problem.INVALID_BATCH.because("orders has 1 to " + NewBatch.MOST + " orders.");
        }
        Set<String> ids = new HashSet<>();
        List<Candidate> candidates = new ArrayList<>();
        for (int at = 0; at < given.size(); at++) {
            String number = "-" + (at + 1);
            candidates.add(candidate(userId, at, given.get(at), key.map(whole -> whole + number), trace, ids));
        }
        return candidates;
    }

    private Candidate candidate(
            UserId userId,
            int index,
            @Nullable TokenBuffer given,
            Optional<String> key,
            TraceContext trace,
            Set<String> ids) {
        try {
            NewOrder order = given == null ? null : json.readValue(given.asParser(), NewOrder.class);
            if (order == null) {
                throw Problem.INVALID_ORDER.because("An order of the batch is null.");
            }
            OrderRequest request = validator
                    .accept(userId, order, order.clientOrderId() == null ? key : Optional.empty())
                    .traced(trace);
            String id = request.clientOrderId().value();
            if (!ids.add(id)) {
                throw Problem.DUPLICATE_CLIENT_ORDER_ID.because(
                        "Client order id " + id + " stands twice in the batch.");
            }
            return new Candidate(index, id, request.contentHash(), request, null);
        } catch (Problem.Refusal refusal) {
            return refused(index, given, key, refusal);
        } catch (JacksonException unreadable) {
            return refused(index, given, key, RequestBodyErrors.refusal(unreadable));
        }
    }

    private Candidate refused(int index, @Nullable TokenBuffer given, Optional<String> key, Problem.Refusal refusal) {
        JsonNode order = given == null ? json.nullNode() : json.readTree(given.asParser());
        String id =
                order.hasNonNull("clientOrderId") ? order.path("clientOrderId").asString("") : key.orElse("");
        return new Candidate(
                index, ClientOrderId.parse(id).map(ClientOrderId::value).orElse(null), order.toString(), null, refusal);
    }

    private void submitAll(List<Candidate> candidates, BatchResults results) throws InterruptedException {
        BatchResults refused = new BatchResults();
        Map<OrderRequest, Candidate> valid = new LinkedHashMap<>();
        for (Candidate candidate : candidates) {
            if (candidate.refusal != null) {
                refused.add(candidate.index, candidate.clientOrderId, candidate.refusal);
            } else {
                valid.put(Objects.requireNonNull(candidate.request), candidate);
            }
        }
        if (refused.items().isEmpty()) {
            Map<OrderRequest, Problem.Refusal> refusals = submissions.submitAll(
                    List.copyOf(valid.keySet()),
                    (request, submission) ->
                            results.submit(Objects.requireNonNull(valid.get(request)).index, request, submission));
            valid.forEach((request, candidate) -> {
                Problem.Refusal refusal = refusals.get(request);
                if (refusal != null) {
                    refused.add(candidate.index, candidate.clientOrderId, refusal);
                }
            });
        }
        if (!refused.items().isEmpty()) {
            throw Problem.BATCH_REFUSED
                    .because("Mend or leave out the orders that items names, or wait where their status is 429 or"
                            + " 503, and submit the batch again.")
                    .with("items", refused.items())
                    .after(refused.retryAfterSeconds());
        }
    }

    private void submit(Candidate candidate, BatchResults results) throws InterruptedException {
        if (candidate.refusal != null) {
            results.add(candidate.index, candidate.clientOrderId, candidate.refusal);
            return;
        }
        OrderRequest request = Objects.requireNonNull(candidate.request);
        results.submit(candidate.index, request, () -> submissions.submit(request, Duration.ZERO));
    }
}
