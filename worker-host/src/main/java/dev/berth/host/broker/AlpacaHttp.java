package dev.berth.host.broker;

import dev.berth.host.broker.BrokerSession.NotSentException;
import dev.berth.host.broker.BrokerSession.ObjectionException;
import dev.berth.host.broker.BrokerSession.WriteGate;
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

/** Calls to Alpaca in the name of one account. Nothing is made again by itself. */
final class AlpacaHttp {
    private final HttpClient http;
    private final URI base;
    private final Credentials credentials;
    private final long epoch;

    AlpacaHttp(HttpClient http, URI base, Credentials credentials, long epoch) {
        this.http = http;
        this.base = base;
        this.credentials = credentials;
        this.epoch = epoch;
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(base + path))
                .header("APCA-API-KEY-ID", credentials.keyId())
                .header("APCA-API-SECRET-KEY", credentials.secret())
                .header("Content-Type", "application/json")
                .header("Berth-Epoch", Long.toString(epoch));
    }

    /**
     * Makes a call that may change something.
     *
     * @param gate asked when the connection is there, before the body is written
     * @throws ObjectionException when the gate objected
     * @throws NotSentException when surely nothing of the body reached the broker
     * @throws IOException when nobody knows whether it did
     */
    HttpResponse<String> write(HttpRequest.Builder request, String method, String body, WriteGate gate, Duration limit)
            throws IOException, InterruptedException {
        GatedBody gated = new GatedBody(body, gate);
        try {
            return call(request.method(method, gated), limit);
        } catch (IOException failed) {
            throw gated.shut() ? gated.because(failed) : failed;
        } catch (InterruptedException givenUp) {
            gated.shut();
            throw givenUp;
        }
    }

    /** Makes a call; once this has returned or thrown, it is over. */
    HttpResponse<String> call(HttpRequest.Builder request, Duration limit) throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<String>> answer =
                http.sendAsync(request.timeout(limit).build(), BodyHandlers.ofString());
        try {
            // The request's own limit ends with the headers; a body that stalls would hold the only slot for ever.
            return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException stalled) {
            answer.cancel(true);
            throw new HttpTimeoutException("no whole answer within " + limit);
        } catch (InterruptedException givenUp) {
            answer.cancel(true);
            throw givenUp;
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof IOException cause ? cause : new IOException(failed.getCause());
        }
    }
}
