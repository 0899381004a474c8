package dev.berth.host.broker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.OrderPolicies;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.ReplaceOrder;
import dev.berth.workflows.order.ReplaceOutcome;
import dev.berth.workflows.order.VenueReport;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One account at Alpaca, over its Trading API. */
final class AlpacaSession implements BrokerSession {
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int TOO_MANY_REQUESTS = 429;

    /** The most that Alpaca gives. */
    private static final int ACTIVITIES_A_PAGE = 100;

    private final ObjectMapper json = new ObjectMapper();
    private final AlpacaHttp http;
    private final long epoch;
    private final Duration callLimit;
    private final AlpacaNews news;

    AlpacaSession(HttpClient http, URI base, Credentials credentials, long epoch, Duration callLimit, AlpacaNews news) {
        this.http = new AlpacaHttp(http, base, credentials, epoch);
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
        news.ping();
    }

    private HttpResponse<String> account() throws IOException, InterruptedException {
        HttpResponse<String> answer = call(http.request("/v2/account").GET());
        if (answer.statusCode() == UNAUTHORIZED || answer.statusCode() == FORBIDDEN) {
            // Without the key's id: this is read in logs, and in Temporal by whoever may see the worker.
            throw new RefusedException(
                    "The broker refused the credentials. Store the right ones and start the worker again.");
        }
        return answer;
    }

    @Override
    public boolean hasWorkingOrders() throws IOException, InterruptedException {
        HttpResponse<String> answer =
                call(http.request("/v2/orders?status=open&limit=1").GET());
        return !read(requireSuccess(answer)).isEmpty();
    }

    @Override
    public PreparedOrder prepare(OrderRequest order) {
        HttpRequest.Builder request = http.request("/v2/orders");
        String body = AlpacaOrders.toAlpaca(order).toString();
        VenueClientOrderId id = new VenueClientOrderId(order.clientOrderId(), 0);
        return (limit, gate) -> answered(http.write(request, "POST", body, gate, limit), id, limit);
    }

    private VenueReport answered(HttpResponse<String> answer, VenueClientOrderId id, Duration limit)
            throws IOException, InterruptedException {
        if (answer.statusCode() == UNAUTHORIZED) {
            // Such as old credentials a moment before the new ones come: it says nothing about the order.
            throw new NotSentException("the broker refused the credentials", new IOException(answer.body()));
        }
        if (answer.statusCode() / 100 == 4) {
            JsonNode error = read(answer);
            if (AlpacaOrders.isDuplicate(error)) {
                return find(id, limit).orElseThrow(() -> new IOException("a duplicate that can not be found"));
            }
            if (answer.statusCode() == TOO_MANY_REQUESTS) {
                throw new NotSentException("the broker takes no more requests now", new IOException(answer.body()));
            }
            return AlpacaOrders.rejected(error, epoch);
        }
        return report(answer);
    }

    @Override
    public Optional<VenueReport> find(VenueClientOrderId id) throws IOException, InterruptedException {
        return find(id, callLimit);
    }

    @Override
    public Optional<VenueReport> findExecutions(VenueClientOrderId id) throws IOException, InterruptedException {
        Optional<VenueReport> order = find(id);
        return order.isPresent() && order.get().filledQuantity().isPositive()
                ? Optional.of(order.get().with(executions(order.get())))
                : order;
    }

    /** The order's activities of the kind FILL, page by page. */
    private List<Execution> executions(VenueReport order) throws IOException, InterruptedException {
        List<Execution> executions = new ArrayList<>();
        String path = "/v2/account/activities/FILL?direction=asc&page_size=%d&order_id=%s"
                .formatted(ACTIVITIES_A_PAGE, order.venueOrderId());
        String pageToken = "";
        while (true) {
            JsonNode page =
                    read(requireSuccess(call(http.request(path + pageToken).GET())));
            for (JsonNode activity : page) {
                // A venue that does not know the parameter gives those of all orders.
                if (activity.path("order_id").asText().equals(order.venueOrderId())) {
                    executions.add(AlpacaOrders.execution(activity, order.leg()));
                }
            }
            if (page.size() < ACTIVITIES_A_PAGE) {
                return executions;
            }
            pageToken =
                    "&page_token=" + page.get(page.size() - 1).required("id").asText();
        }
    }

    private Optional<VenueReport> find(VenueClientOrderId id, Duration limit) throws IOException, InterruptedException {
        String text = URLEncoder.encode(id.toString(), StandardCharsets.UTF_8);
        HttpResponse<String> answer = http.call(
                http.request("/v2/orders:by_client_order_id?client_order_id=" + text)
                        .GET(),
                limit);
        return answer.statusCode() == 404 ? Optional.empty() : Optional.of(report(answer));
    }

    @Override
    public Optional<VenueReport> cancel(VenueClientOrderId id) throws IOException, InterruptedException {
        Optional<VenueReport> before = find(id);
        if (before.isEmpty() || before.get().status().isFinal()) {
            return before;
        }
        HttpResponse<String> answer =
                call(http.request("/v2/orders/" + before.get().venueOrderId()).DELETE());
        if (answer.statusCode() / 100 == 2) {
            return find(id);
        }
        if (answer.statusCode() != 404 && answer.statusCode() != 422) {
            throw notCanceled(answer);
        }
        // It came to its end meanwhile, or can not be canceled just now, such as while it is being replaced.
        Optional<VenueReport> after = find(id);
        if (after.isPresent() && worksOn(after.get())) {
            throw notCanceled(answer);
        }
        return after;
    }

    private static boolean worksOn(VenueReport order) {
        return !order.status().isFinal()
                && order.status() != OrderStatus.PENDING_CANCEL
                && !OrderPolicies.REPLACED.equals(order.venueStatus());
    }

    private static IOException notCanceled(HttpResponse<String> answer) {
        return new IOException("the broker did not cancel: " + answer.statusCode());
    }

    @Override
    public ReplaceOutcome replace(ReplaceOrder order, WriteGate gate) throws IOException, InterruptedException {
        return new AlpacaReplacement(this, order).make(gate);
    }

    /** Writes a replacement; one that is not answered may be written no longer than a submission. */
    HttpResponse<String> patch(VenueReport leg, ObjectNode body, WriteGate gate)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = http.request("/v2/orders/" + leg.venueOrderId());
        Duration limit = callLimit.compareTo(OrderPolicies.BROKER_CALL) < 0 ? callLimit : OrderPolicies.BROKER_CALL;
        return http.write(request, "PATCH", body.toString(), gate, limit);
    }

    @Override
    public void close() {
        news.close();
    }

    VenueReport report(HttpResponse<String> answer) throws IOException {
        return AlpacaOrders.report(read(requireSuccess(answer)), epoch);
    }

    private HttpResponse<String> call(HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.call(request, callLimit);
    }

    JsonNode read(HttpResponse<String> answer) throws IOException {
        return json.readTree(answer.body());
    }

    private static HttpResponse<String> requireSuccess(HttpResponse<String> answer) throws IOException {
        if (answer.statusCode() / 100 != 2) {
            throw new IOException("the broker answered " + answer.statusCode());
        }
        return answer;
    }
}
