package dev.berth.host.broker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.host.broker.BrokerSession.NotSentException;
import dev.berth.host.broker.BrokerSession.ObjectionException;
import dev.berth.host.broker.BrokerSession.WriteGate;
import dev.berth.host.broker.RequestBudget.Purpose;
import dev.berth.host.tracing.Span;
import dev.berth.workflows.TraceContext;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** HTTP requests to Alpaca for one account, within its budget. Never repeats a request. */
record AlpacaHttp(HttpClient client, URI base, BrokerCredentials credentials, long epoch, RequestBudget budget) {
    /** The largest answer is a page of 500 orders, about 0.6 MB; the heap has 64 MB. */
    private static final int MAX_ANSWER_BYTES = 2 << 20;
    /** A check waits no longer: it would keep cancels from the calls that run at once. */
    private static final Duration CHECK_WAIT = Duration.ofSeconds(2);

    /** The account may not send now; it says nothing about the broker's health. */
    static final class OverBudgetException extends IOException {
        private static final long serialVersionUID = 1L;

        OverBudgetException(String message) {
            super(message);
        }
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(base + path))
                .header("APCA-API-KEY-ID", credentials.keyId())
                .header("APCA-API-SECRET-KEY", credentials.secret())
                .header("Content-Type", "application/json")
                .header("Berth-Epoch", Long.toString(epoch));
    }

    /**
     * Sends a request that may change something.
     *
     * @param gate called when the connection is open, before the body is written
     * @throws ObjectionException when the gate objected
     * @throws NotSentException when nothing of the body reached the broker
     * @throws IOException when that is unknown
     */
    AlpacaAnswer write(HttpRequest.Builder request, String method, String body, WriteGate gate, Duration limit)
            throws IOException, InterruptedException {
        GatedBody gated = new GatedBody(body, gate);
        try {
            return call(request.method(method, gated), Purpose.SUBMISSION, limit);
        } catch (IOException failed) {
            throw gated.cancel() ? gated.toException(failed) : failed;
        } catch (InterruptedException interrupted) {
            gated.cancel();
            throw interrupted;
        }
    }

    /**
     * Sends a request. The call has ended when this method returns or throws.
     *
     * @throws IOException also when the answer is longer than 2 MiB, or the account's budget has no
     *     request left
     */
    AlpacaAnswer call(HttpRequest.Builder request, Purpose purpose, Duration limit)
            throws IOException, InterruptedException {
        long started = System.nanoTime();
        Duration wait = purpose == Purpose.CHECK && limit.compareTo(CHECK_WAIT) > 0 ? CHECK_WAIT : limit;
        if (!budget.take(purpose, wait)) {
            throw new OverBudgetException("the account's request budget is used up");
        }
        Duration left = limit.minusNanos(System.nanoTime() - started);
        if (!left.isPositive()) {
            throw new HttpTimeoutException("the account's request budget had nothing left for " + limit);
        }
        Span.current()
                .ifPresent(span ->
                        request.setHeader(TraceContext.HEADER, span.context().toString()));
        HttpResponse<String> response = send(request.timeout(left).build(), left);
        AlpacaAnswer answer = AlpacaAnswer.of(response);
        new AlpacaRate(response.headers(), Instant.now()).apply(answer, budget);
        return answer;
    }

    /**
     * A list, for a check.
     *
     * @throws IOException also when the answer is none
     */
    JsonNode list(String path, Duration limit) throws IOException, InterruptedException {
        JsonNode list = call(request(path).GET(), Purpose.CHECK, limit).requireSuccess();
        if (!list.isArray()) {
            throw new IOException("the broker's answer is not a list");
        }
        return list;
    }

    private HttpResponse<String> send(HttpRequest request, Duration limit) throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<String>> response =
                client.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofString(), MAX_ANSWER_BYTES));
        try {
            // The request's own timeout ends with the headers: a stalled body would block forever.
            return response.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException stalled) {
            response.cancel(true);
            throw new HttpTimeoutException("no complete answer within " + limit);
        } catch (InterruptedException interrupted) {
            response.cancel(true);
            throw interrupted;
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof IOException cause ? cause : new IOException(failed.getCause());
        }
    }
}
