package dev.berth.host.broker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.host.broker.RequestBudget.Purpose;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.account.CancelVenueOrderOutcome;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderPolicies;
import dev.berth.workflows.order.OrderStatus;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Cancels of a session's orders, by Berth's id and by the venue's. */
record AlpacaCancels(
        AlpacaSession session, AlpacaHttp http, KnownOrders known, AlpacaStream stream, Duration callLimit) {
    /** The stream reports a cancel that needs no exchange within milliseconds. */
    private static final Duration CANCEL_REPORT = Duration.ofMillis(300);

    private AlpacaAnswer delete(String venueOrderId) throws IOException, InterruptedException {
        return http.call(http.request("/v2/orders/" + venueOrderId).DELETE(), Purpose.CANCEL, callLimit);
    }

    /** As {@link BrokerSession#cancel}. */
    Optional<ExecutionReport> cancel(VenueClientOrderId id) throws IOException, InterruptedException {
        Optional<ExecutionReport> before = known.find(id);
        if (before.isEmpty() || AlpacaOrders.isOver(before.get())) {
            before = session.find(id);
        }
        if (before.isEmpty() || before.get().status().isFinal()) {
            return before;
        }
        AlpacaAnswer answer = delete(String.valueOf(before.get().venueOrderId()));
        return switch (answer.meaning()) {
            case DONE -> answer.body().isNull() ? canceled(id, before.get()) : notCanceled(id, answer);
            case CREDENTIALS_REFUSED -> throw AlpacaAnswer.credentialsRefused();
            case REFUSED -> refusedCancel(id, answer);
            case ABSENT, NOTHING -> notCanceled(id, answer);
            case DUPLICATE, RATE_LIMITED -> throw notCanceled(answer);
        };
    }

    /** The order ended meanwhile, or cannot be canceled as it is now. */
    private Optional<ExecutionReport> refusedCancel(VenueClientOrderId id, AlpacaAnswer answer)
            throws IOException, InterruptedException {
        Optional<ExecutionReport> after = session.find(id);
        if (after.isPresent() && after.get().status() == OrderStatus.PENDING_REPLACE && isWorking(after.get())) {
            throw notCanceled(answer);
        }
        return after.map(order -> isWorking(order) ? AlpacaOrders.cancelRefused(order, answer.message()) : order);
    }

    /** Whatever the answer says, the order may have ended. */
    private Optional<ExecutionReport> notCanceled(VenueClientOrderId id, AlpacaAnswer answer)
            throws IOException, InterruptedException {
        Optional<ExecutionReport> after = session.find(id);
        if (after.isPresent() && isWorking(after.get())) {
            throw notCanceled(answer);
        }
        return after;
    }

    /** The stream reports how the order ends; without one, one more request asks. */
    private Optional<ExecutionReport> canceled(VenueClientOrderId id, ExecutionReport before)
            throws IOException, InterruptedException {
        if (!stream.isProven()) {
            return session.find(id);
        }
        boolean isOver = known.isOver(id, System.nanoTime() + CANCEL_REPORT.toNanos());
        ExecutionReport after = known.find(id).orElse(before);
        return Optional.of(isOver ? after : session.answered(id, AlpacaOrders.pendingCancel(after, http.epoch())));
    }

    private static boolean isWorking(ExecutionReport order) {
        return !order.status().isFinal()
                && order.status() != OrderStatus.PENDING_CANCEL
                && !OrderPolicies.REPLACED.equals(order.venueStatus());
    }

    private static IOException notCanceled(AlpacaAnswer answer) {
        return new IOException("the broker did not cancel: " + answer.status());
    }

    /** As {@link BrokerSession#cancelVenueOrder}. */
    CancelVenueOrderOutcome cancelVenueOrder(String venueOrderId) throws IOException, InterruptedException {
        AlpacaAnswer answer = delete(URLEncoder.encode(venueOrderId, StandardCharsets.UTF_8));
        return switch (answer.meaning()) {
            case DONE -> {
                if (!answer.body().isNull()) {
                    // A proxy's page, with a status of success.
                    throw notCanceled(answer);
                }
                yield CancelVenueOrderOutcome.REQUESTED;
            }
            case REFUSED -> CancelVenueOrderOutcome.REFUSED;
            case ABSENT -> CancelVenueOrderOutcome.ABSENT;
            case CREDENTIALS_REFUSED -> throw AlpacaAnswer.credentialsRefused();
            case DUPLICATE, RATE_LIMITED, NOTHING -> throw notCanceled(answer);
        };
    }

    /** As {@link BrokerSession#cancelAll}. */
    Map<String, CancelVenueOrderOutcome> cancelAll(Duration within) throws IOException, InterruptedException {
        AlpacaAnswer answer = http.call(http.request("/v2/orders").DELETE(), Purpose.CANCEL, within);
        JsonNode orders = answer.requireSuccess();
        if (!orders.isArray()) {
            throw notCanceled(answer);
        }
        Map<String, CancelVenueOrderOutcome> outcomes = new HashMap<>();
        for (JsonNode order : orders) {
            int status = order.path("status").asInt();
            // Too many requests, or a failure of the broker, is no refusal.
            boolean isRefused = status / 100 == 4 && status != AlpacaAnswer.TOO_MANY_REQUESTS;
            outcomes.put(
                    order.path("id").asText(),
                    isRefused ? CancelVenueOrderOutcome.REFUSED : CancelVenueOrderOutcome.REQUESTED);
        }
        return outcomes;
    }
}
