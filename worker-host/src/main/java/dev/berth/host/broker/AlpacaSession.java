package dev.berth.host.broker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.VenueReport;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One account at Alpaca, over its Trading API. */
final class AlpacaSession implements BrokerSession {
    private static final String DUPLICATE = "client_order_id must be unique";
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int TOO_MANY_REQUESTS = 429;

    private final ObjectMapper json = new ObjectMapper();
    private final HttpClient http;
    private final URI base;
    private final Credentials credentials;
    private final long epoch;
    private final Duration callLimit;
    private final AlpacaNews news;

    AlpacaSession(HttpClient http, URI base, Credentials credentials, long epoch, Duration callLimit, AlpacaNews news) {
        this.http = http;
        this.base = base;
        this.credentials = credentials;
        this.epoch = epoch;
        this.callLimit = callLimit;
        this.news = news;
    }

    /** Proves that the broker knows the credentials. */
    void verify() throws IOException, InterruptedException {
        requireSuccess(account());
    }

    /** Too many requests are no sign of ill health. */
    @Override
    public void ping() throws IOException, InterruptedException {
        HttpResponse<String> answer = account();
        if (answer.statusCode() != TOO_MANY_REQUESTS) {
            requireSuccess(answer);
        }
    }

    private HttpResponse<String> account() throws IOException, InterruptedException {
        HttpResponse<String> answer = call(request("/v2/account").GET());
        if (answer.statusCode() == UNAUTHORIZED || answer.statusCode() == FORBIDDEN) {
            throw new RefusedException("The broker refused the credentials of key " + credentials.keyId()
                    + ". Store the right ones and start the worker again.");
        }
        return answer;
    }

    @Override
    public boolean hasWorkingOrders() throws IOException, InterruptedException {
        HttpResponse<String> answer =
                call(request("/v2/orders?status=open&limit=1").GET());
        return !read(requireSuccess(answer)).isEmpty();
    }

    @Override
    public PreparedOrder prepare(OrderRequest order) {
        HttpRequest.Builder request = request("/v2/orders")
                .POST(BodyPublishers.ofString(
                        json.valueToTree(AlpacaOrders.toAlpaca(order)).toString()));
        return limit -> answered(write(request, limit), order.clientOrderId(), limit);
    }

    private HttpResponse<String> write(HttpRequest.Builder request, Duration limit)
            throws IOException, InterruptedException {
        try {
            return call(request, limit);
        } catch (ConnectException | HttpConnectTimeoutException noConnection) {
            throw new NotSentException("the broker could not be reached", noConnection);
        }
    }

    private VenueReport answered(HttpResponse<String> answer, ClientOrderId clientOrderId, Duration limit)
            throws IOException, InterruptedException {
        if (answer.statusCode() == UNAUTHORIZED) {
            // Such as old credentials a moment before the new ones come: it says nothing about the order.
            throw new NotSentException("the broker refused the credentials", new IOException(answer.body()));
        }
        if (answer.statusCode() / 100 == 4) {
            JsonNode error = read(answer);
            if (error.path("message").asText().contains(DUPLICATE)) {
                return find(clientOrderId, limit)
                        .orElseThrow(() -> new IOException("a duplicate that can not be found"));
            }
            if (answer.statusCode() == TOO_MANY_REQUESTS) {
                throw new NotSentException("the broker takes no more requests now", new IOException(answer.body()));
            }
            return AlpacaOrders.rejected(error, epoch);
        }
        return AlpacaOrders.report(read(requireSuccess(answer)), epoch);
    }

    @Override
    public Optional<VenueReport> find(ClientOrderId clientOrderId) throws IOException, InterruptedException {
        return find(clientOrderId, callLimit);
    }

    private Optional<VenueReport> find(ClientOrderId clientOrderId, Duration limit)
            throws IOException, InterruptedException {
        String id = URLEncoder.encode(clientOrderId.value(), StandardCharsets.UTF_8);
        return reported(call(
                request("/v2/orders:by_client_order_id?client_order_id=" + id).GET(), limit));
    }

    @Override
    public Optional<VenueReport> cancel(ClientOrderId clientOrderId) throws IOException, InterruptedException {
        Optional<VenueReport> before = find(clientOrderId);
        if (before.isEmpty() || before.get().status().isFinal()) {
            return before;
        }
        HttpResponse<String> answer =
                call(request("/v2/orders/" + before.get().venueOrderId()).DELETE());
        // 204: canceled, or soon so. 404 and 422: it came to its end meanwhile. Either way the venue knows.
        if (answer.statusCode() / 100 != 2 && answer.statusCode() != 404 && answer.statusCode() != 422) {
            throw new IOException("the broker did not cancel: " + answer.statusCode());
        }
        return find(clientOrderId);
    }

    @Override
    public void close() {
        news.close();
    }

    private Optional<VenueReport> reported(HttpResponse<String> answer) throws IOException {
        return answer.statusCode() == 404
                ? Optional.empty()
                : Optional.of(AlpacaOrders.report(read(requireSuccess(answer)), epoch));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(base + path))
                .header("APCA-API-KEY-ID", credentials.keyId())
                .header("APCA-API-SECRET-KEY", credentials.secret())
                .header("Content-Type", "application/json")
                .header("Berth-Epoch", Long.toString(epoch));
    }

    private HttpResponse<String> call(HttpRequest.Builder request) throws IOException, InterruptedException {
        return call(request, callLimit);
    }

    private HttpResponse<String> call(HttpRequest.Builder request, Duration limit)
            throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<String>> answer =
                http.sendAsync(request.timeout(limit).build(), BodyHandlers.ofString());
        try {
            // The request's own limit ends with the headers; a body that stalls would hold the only slot for ever.
            return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException stalled) {
            answer.cancel(true);
            throw new HttpTimeoutException("no whole answer within " + limit);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof IOException cause ? cause : new IOException(failed.getCause());
        }
    }

    private JsonNode read(HttpResponse<String> answer) throws IOException {
        return json.readTree(answer.body());
    }

    private static HttpResponse<String> requireSuccess(HttpResponse<String> answer) throws IOException {
        if (answer.statusCode() / 100 != 2) {
            throw new IOException("the broker answered " + answer.statusCode());
        }
        return answer;
    }
}
