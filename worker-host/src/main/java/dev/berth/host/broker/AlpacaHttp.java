package dev.berth.host.broker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.host.broker.BrokerSession.NotSentException;
import dev.berth.host.broker.BrokerSession.ObjectionException;
import dev.berth.host.broker.BrokerSession.OverBudgetException;
import dev.berth.host.broker.BrokerSession.WriteGate;
import dev.berth.host.broker.RequestBudget.Purpose;
import dev.berth.host.tracing.Span;
import dev.berth.workflows.TraceContext;
import dev.berth.workflows.order.SubmitOutcome.Declined;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** HTTP requests to Alpaca for one account, within its budget. Never repeats a request. */
record AlpacaHttp(HttpClient client, URI base, BrokerCredentials credentials, long epoch, RequestBudget budget) {
    /** The largest answer is a page of 500 orders, about 0.6 MB; the heap has 64 MB. */
    private static final int MAX_ANSWER_BYTES = 2 << 20;
    /**
     * A request body behind a gate. {@link java.net.http.HttpClient} subscribes to the body when
     * the connection is open; the headers may be written by then, but a broker ignores a request
     * without its body. The client demands the body's one part as soon as it is subscribed, on this
     * thread, and writes it to the socket; so nothing waits between the gate and the write.
     */
    private static final class GatedBody implements BodyPublisher {
        private enum WriteState {
            WAITING,
            WRITTEN,
            CANCELED
        }

        private final BodyPublisher body;
        private final WriteGate gate;
        private final AtomicReference<WriteState> state = new AtomicReference<>(WriteState.WAITING);
        private volatile @Nullable Declined objection;

        GatedBody(String body, WriteGate gate) {
            this.body = BodyPublishers.ofString(body);
            this.gate = gate;
        }

        @Override
        public long contentLength() {
            return body.contentLength();
        }

        @Override
        public void subscribe(Flow.Subscriber<? super ByteBuffer> connection) {
            try {
                objection = gate.objection().orElse(null);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                cancel();
            }
            if (objection == null && state.compareAndSet(WriteState.WAITING, WriteState.WRITTEN)) {
                body.subscribe(connection);
            } else {
                cancel();
                refuse(connection);
            }
        }

        private static void refuse(Flow.Subscriber<? super ByteBuffer> connection) {
            connection.onSubscribe(new Flow.Subscription() {
                @Override
                public void request(long count) {
                    // No data follows.
                }

                @Override
                public void cancel() {
                    // The subscription has ended.
                }
            });
            connection.onError(new IOException("the request was canceled before its body"));
        }

        /**
         * Cancels the body unless it is being written.
         *
         * @return whether the body is never written
         */
        boolean cancel() {
            return state.compareAndSet(WriteState.WAITING, WriteState.CANCELED) || state.get() == WriteState.CANCELED;
        }

        /** Why nothing was written, once the body is canceled. */
        IOException toException(IOException failure) {
            Declined declined = objection;
            return declined != null
                    ? new ObjectionException(declined)
                    : new NotSentException("the broker could not be reached", failure);
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
        Duration wait = purpose.waitWithin(limit);
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

    /** A list, for a check. */
    JsonNode list(String path, Duration limit) throws IOException, InterruptedException {
        return list(path, Purpose.CHECK, limit);
    }

    /** @throws IOException also when the answer is no list */
    JsonNode list(String path, Purpose purpose, Duration limit) throws IOException, InterruptedException {
        JsonNode list = call(request(path).GET(), purpose, limit).requireSuccess();
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
