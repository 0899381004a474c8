package dev.berth.host.broker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.host.broker.RequestBudget.Purpose;
import dev.berth.workflows.ClientOrderId;
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
import java.util.function.BiConsumer;

/** One account at Alpaca, by its Trading API. */
final class AlpacaSession implements BrokerSession {
    /** Alpaca's maximum of account activities. */
    private static final int PAGE_SIZE = 100;
    /** The stream reports a cancel that needs no exchange within milliseconds. */
    private static final Duration CANCEL_REPORT = Duration.ofMillis(300);

    private final AlpacaHttp http;
    private final Duration callLimit;
    private final KnownOrders known;
    private final AlpacaStream stream;

    AlpacaSession(AlpacaHttp http, Duration callLimit, BiConsumer<ClientOrderId, ExecutionReport> onReport) {
        this.http = http;
        this.callLimit = callLimit;
        this.known = new KnownOrders();
        AlpacaReconciliation reconciliation =
                new AlpacaReconciliation(this, known, (id, report) -> onReport.accept(id.order(), report));
        this.stream = new AlpacaStream(http, known, onReport, reconciliation);
    }

    /** Checks that the broker accepts the credentials. */
    void verify() throws IOException, InterruptedException {
        AlpacaHttp.requireSuccess(http.call(http.request("/v2/account").GET(), Purpose.SUBMISSION, callLimit));
    }

    /** Subscribes in the background. */
    void listen() {
        stream.start();
    }

    /**
     * One request that also shows whether the stream has reported everything. A session whose
     * requests are rate limited is healthy.
     */
    @Override
    public void ping() throws IOException, InterruptedException {
        stream.check();
    }

    @Override
    public int requestsUsed() {
        return http.budget().used();
    }

    @Override
    public boolean hasWorkingOrders() throws IOException, InterruptedException {
        return !getJson("/v2/orders?status=open&limit=1").isEmpty();
    }

    /** Up to 500 orders. */
    JsonNode orders(String status) throws IOException, InterruptedException {
        return getJson("/v2/orders?limit=500&status=" + status);
    }

    @Override
    public PreparedOrder prepare(OrderRequest order) {
        HttpRequest.Builder request = http.request("/v2/orders");
        String body = AlpacaOrders.toAlpaca(order).toString();
        VenueClientOrderId id = new VenueClientOrderId(order.clientOrderId(), 0);
        return (limit, gate) -> submitted(http.write(request, "POST", body, gate, limit), order, id, limit);
    }

    private ExecutionReport submitted(
            HttpResponse<String> response, OrderRequest order, VenueClientOrderId id, Duration limit)
            throws IOException, InterruptedException {
        if (AlpacaHttp.refusesCredentials(response)) {
            // For example old ones: the order itself was not refused.
            throw new NotSentException("the broker refused the credentials", AlpacaHttp.refused());
        }
        if (response.statusCode() == AlpacaHttp.TOO_MANY_REQUESTS) {
            throw new NotSentException(
                    "the broker's rate limit is reached", new IOException("the broker answered 429"));
        }
        if (response.statusCode() / 100 == 4) {
            JsonNode error = AlpacaHttp.json(response);
            return AlpacaOrders.isDuplicate(error)
                    ? duplicate(order, id, limit)
                    : AlpacaOrders.rejected(error, http.epoch());
        }
        ExecutionReport accepted = answered(id, report(response));
        stream.expect(id);
        return accepted;
    }

    /** The order at the venue is this one only with the same terms. */
    private ExecutionReport duplicate(OrderRequest order, VenueClientOrderId id, Duration limit)
            throws IOException, InterruptedException {
        HttpResponse<String> response = byClientOrderId(id, limit);
        if (response.statusCode() == 404) {
            throw new IOException("a duplicate that cannot be found");
        }
        JsonNode found = AlpacaHttp.json(AlpacaHttp.requireSuccess(response));
        return AlpacaOrders.isSame(order, found)
                ? answered(id, report(found))
                : AlpacaOrders.duplicateOfAnother(http.epoch());
    }

    /** Keeps the report, so that a cancel needs no look-up. */
    ExecutionReport answered(VenueClientOrderId id, ExecutionReport report) {
        known.answered(id, report);
        return report;
    }

    @Override
    public Optional<ExecutionReport> find(VenueClientOrderId id) throws IOException, InterruptedException {
        Optional<ExecutionReport> found = lookUp(id);
        found.ifPresent(report -> answered(id, report));
        return found;
    }

    @Override
    public Optional<ExecutionReport> current(VenueClientOrderId id) {
        return stream.isProven() ? known.findStreamed(id) : Optional.empty();
    }

    /** As {@link #find}; what it finds may still be news for {@link KnownOrders}. */
    Optional<ExecutionReport> lookUp(VenueClientOrderId id) throws IOException, InterruptedException {
        HttpResponse<String> response = byClientOrderId(id, callLimit);
        return response.statusCode() == 404 ? Optional.empty() : Optional.of(report(response));
    }

    private HttpResponse<String> byClientOrderId(VenueClientOrderId id, Duration limit)
            throws IOException, InterruptedException {
        String encoded = URLEncoder.encode(id.toString(), StandardCharsets.UTF_8);
        return http.call(
                http.request("/v2/orders:by_client_order_id?client_order_id=" + encoded)
                        .GET(),
                Purpose.CHECK,
                limit);
    }

    @Override
    public Optional<ExecutionReport> findExecutions(VenueClientOrderId id) throws IOException, InterruptedException {
        Optional<ExecutionReport> order = find(id);
        return order.isPresent() && order.get().filledQuantity().isPositive()
                ? Optional.of(withExecutions(order.get()))
                : order;
    }

    ExecutionReport withExecutions(ExecutionReport order) throws IOException, InterruptedException {
        return order.with(executions(order));
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
        Optional<ExecutionReport> before = known.find(id);
        if (before.isEmpty() || AlpacaOrders.isOver(before.get())) {
            before = find(id);
        }
        if (before.isEmpty() || before.get().status().isFinal()) {
            return before;
        }
        HttpResponse<String> response = http.call(
                http.request("/v2/orders/" + before.get().venueOrderId()).DELETE(), Purpose.CANCEL, callLimit);
        if (AlpacaHttp.refusesCredentials(response)) {
            throw AlpacaHttp.refused();
        }
        if (response.statusCode() / 100 == 2) {
            return canceled(id, before.get());
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

    /** The stream reports how the order ends; without one, one more request asks. */
    private Optional<ExecutionReport> canceled(VenueClientOrderId id, ExecutionReport before)
            throws IOException, InterruptedException {
        if (!stream.isProven()) {
            return find(id);
        }
        boolean isOver = known.isOver(id, System.nanoTime() + CANCEL_REPORT.toNanos());
        ExecutionReport after = known.find(id).orElse(before);
        return Optional.of(isOver ? after : AlpacaOrders.pendingCancel(after, http.epoch()));
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
        return report(AlpacaHttp.json(AlpacaHttp.requireSuccess(response)));
    }

    ExecutionReport report(JsonNode order) {
        return AlpacaOrders.report(order, http.epoch());
    }

    private JsonNode getJson(String path) throws IOException, InterruptedException {
        return AlpacaHttp.json(
                AlpacaHttp.requireSuccess(http.call(http.request(path).GET(), Purpose.CHECK, callLimit)));
    }

    @Override
    public void close() {
        stream.close();
    }
}
