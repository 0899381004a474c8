package dev.berth.host.broker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderPolicies;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.ReplaceOrder;
import dev.berth.workflows.order.ReplaceOutcome;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One account at Alpaca, by its Trading API. */
final class AlpacaSession implements BrokerSession {
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int TOO_MANY_REQUESTS = 429;

    /** Alpaca's maximum. */
    private static final int PAGE_SIZE = 100;

    private final AlpacaHttp http;
    private final Duration callLimit;
    private final AlpacaTradeUpdates tradeUpdates;

    AlpacaSession(AlpacaHttp http, Duration callLimit, AlpacaTradeUpdates tradeUpdates) {
        this.http = http;
        this.callLimit = callLimit;
        this.tradeUpdates = tradeUpdates;
    }

    /** Checks that the broker accepts the credentials. */
    void verify() throws IOException, InterruptedException {
        AlpacaHttp.requireSuccess(account());
    }

    /** A session whose requests are rate limited is healthy. */
    @Override
    public void ping() throws IOException, InterruptedException {
        HttpResponse<String> response = account();
        if (response.statusCode() != TOO_MANY_REQUESTS) {
            AlpacaHttp.requireSuccess(response);
        }
        tradeUpdates.ping();
    }

    private HttpResponse<String> account() throws IOException, InterruptedException {
        HttpResponse<String> response = get("/v2/account", callLimit);
        if (response.statusCode() == UNAUTHORIZED || response.statusCode() == FORBIDDEN) {
            // Logs and the Web UI show this message: it must not contain the key's id.
            throw new RefusedException(
                    "The broker refused the credentials. Store the right ones and start the worker again.");
        }
        return response;
    }

    @Override
    public boolean hasWorkingOrders() throws IOException, InterruptedException {
        return !getJson("/v2/orders?status=open&limit=1").isEmpty();
    }

    @Override
    public PreparedOrder prepare(OrderRequest order) {
        HttpRequest.Builder request = http.request("/v2/orders");
        String body = AlpacaOrders.toAlpaca(order).toString();
        VenueClientOrderId id = new VenueClientOrderId(order.clientOrderId(), 0);
        return (limit, gate) -> submitted(http.write(request, "POST", body, gate, limit), id, limit);
    }

    private ExecutionReport submitted(HttpResponse<String> response, VenueClientOrderId id, Duration limit)
            throws IOException, InterruptedException {
        if (response.statusCode() == UNAUTHORIZED) {
            // For example with old credentials: the order itself was not refused.
            throw notSent("the broker refused the credentials", response);
        }
        if (response.statusCode() / 100 == 4) {
            JsonNode error = AlpacaHttp.json(response);
            if (AlpacaOrders.isDuplicate(error)) {
                return find(id, limit).orElseThrow(() -> new IOException("a duplicate that cannot be found"));
            }
            if (response.statusCode() == TOO_MANY_REQUESTS) {
                throw notSent("the broker's rate limit is reached", response);
            }
            return AlpacaOrders.rejected(error, http.epoch());
        }
        return report(response);
    }

    private static NotSentException notSent(String reason, HttpResponse<String> response) {
        return new NotSentException(reason, new IOException("the broker answered " + response.statusCode()));
    }

    @Override
    public Optional<ExecutionReport> find(VenueClientOrderId id) throws IOException, InterruptedException {
        return find(id, callLimit);
    }

    private Optional<ExecutionReport> find(VenueClientOrderId id, Duration limit)
            throws IOException, InterruptedException {
        String encoded = URLEncoder.encode(id.toString(), StandardCharsets.UTF_8);
        HttpResponse<String> response = get("/v2/orders:by_client_order_id?client_order_id=" + encoded, limit);
        return response.statusCode() == 404 ? Optional.empty() : Optional.of(report(response));
    }

    @Override
    public Optional<ExecutionReport> findExecutions(VenueClientOrderId id) throws IOException, InterruptedException {
        Optional<ExecutionReport> order = find(id);
        return order.isPresent() && order.get().filledQuantity().isPositive()
                ? Optional.of(order.get().with(executions(order.get())))
                : order;
    }

    /** The order's activities of type FILL, page by page. */
    private List<Execution> executions(ExecutionReport order) throws IOException, InterruptedException {
        List<Execution> executions = new ArrayList<>();
        String path = "/v2/account/activities/FILL?direction=asc&page_size=%d&order_id=%s"
                .formatted(PAGE_SIZE, order.venueOrderId());
        String pageToken = "";
        while (true) {
            JsonNode page = getJson(path + pageToken);
            for (JsonNode activity : page) {
                // A venue that ignores the parameter returns the activities of all orders.
                if (activity.path("order_id").asText().equals(order.venueOrderId())) {
                    executions.add(AlpacaOrders.execution(activity, order.version()));
                }
            }
            if (page.size() < PAGE_SIZE) {
                return executions;
            }
            pageToken =
                    "&page_token=" + page.get(page.size() - 1).required("id").asText();
        }
    }

    @Override
    public Optional<ExecutionReport> cancel(VenueClientOrderId id) throws IOException, InterruptedException {
        Optional<ExecutionReport> before = find(id);
        if (before.isEmpty() || before.get().status().isFinal()) {
            return before;
        }
        HttpResponse<String> response = http.call(
                http.request("/v2/orders/" + before.get().venueOrderId()).DELETE(), callLimit);
        if (response.statusCode() / 100 == 2) {
            return find(id);
        }
        if (response.statusCode() != 404 && response.statusCode() != 422) {
            throw notCanceled(response);
        }
        // The order ended meanwhile, or cannot be canceled now, for example during a replacement.
        Optional<ExecutionReport> after = find(id);
        if (after.isPresent() && isWorking(after.get())) {
            throw notCanceled(response);
        }
        return after;
    }

    private static boolean isWorking(ExecutionReport order) {
        return !order.status().isFinal()
                && order.status() != OrderStatus.PENDING_CANCEL
                && !OrderPolicies.REPLACED.equals(order.venueStatus());
    }

    private static IOException notCanceled(HttpResponse<String> response) {
        return new IOException("the broker did not cancel: " + response.statusCode());
    }

    @Override
    public ReplaceOutcome replace(ReplaceOrder order, WriteGate gate) throws IOException, InterruptedException {
        return new AlpacaReplacement(this, order).make(gate);
    }

    /** Writes a replacement, with the limit of a submission at most. */
    HttpResponse<String> patch(ExecutionReport version, ObjectNode body, WriteGate gate)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = http.request("/v2/orders/" + version.venueOrderId());
        Duration limit = callLimit.compareTo(OrderPolicies.BROKER_CALL) < 0 ? callLimit : OrderPolicies.BROKER_CALL;
        return http.write(request, "PATCH", body.toString(), gate, limit);
    }

    ExecutionReport report(HttpResponse<String> response) throws IOException {
        return AlpacaOrders.report(AlpacaHttp.json(AlpacaHttp.requireSuccess(response)), http.epoch());
    }

    private JsonNode getJson(String path) throws IOException, InterruptedException {
        return AlpacaHttp.json(AlpacaHttp.requireSuccess(get(path, callLimit)));
    }

    private HttpResponse<String> get(String path, Duration limit) throws IOException, InterruptedException {
        return http.call(http.request(path).GET(), limit);
    }

    @Override
    public void close() {
        tradeUpdates.close();
    }
}
