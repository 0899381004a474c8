package dev.berth.host.broker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.host.broker.BrokerSession.NotSentException;
import dev.berth.host.broker.BrokerSession.ObjectionException;
import dev.berth.host.broker.BrokerSession.WriteGate;
import dev.berth.workflows.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** HTTP requests to Alpaca for one account. Never repeats a request. */
record AlpacaHttp(HttpClient client, URI base, BrokerCredentials credentials, long epoch) {
    /** The largest answer is a page of 500 orders, about 0.6 MB; the heap has 64 MB. */
    private static final int MAX_ANSWER_BYTES = 2 << 20;

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
    HttpResponse<String> write(HttpRequest.Builder request, String method, String body, WriteGate gate, Duration limit)
            throws IOException, InterruptedException {
        GatedBody gated = new GatedBody(body, gate);
        try {
            return call(request.method(method, gated), limit);
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
     * @throws IOException also when the answer is longer than 2 MiB
     */
    HttpResponse<String> call(HttpRequest.Builder request, Duration limit) throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<String>> response = client.sendAsync(
                request.timeout(limit).build(), BodyHandlers.limiting(BodyHandlers.ofString(), MAX_ANSWER_BYTES));
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

    static HttpResponse<String> requireSuccess(HttpResponse<String> response) throws IOException {
        if (response.statusCode() / 100 != 2) {
            throw new IOException("the broker answered " + response.statusCode());
        }
        return response;
    }

    static JsonNode json(HttpResponse<String> response) throws IOException {
        try {
            return Json.tree(response.body());
        } catch (IllegalArgumentException malformed) {
            throw new IOException("the broker's answer cannot be read: " + malformed.getMessage(), malformed);
        }
    }
}
