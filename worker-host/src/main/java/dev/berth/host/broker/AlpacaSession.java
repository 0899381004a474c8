package dev.berth.host.broker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.host.broker.AlpacaAnswer.Meaning;
import dev.berth.host.broker.RequestBudget.Purpose;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.account.AccountOrder;
import dev.berth.workflows.account.AccountReport;
import dev.berth.workflows.account.CancelVenueOrderOutcome;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderPolicies;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.ReplaceOrder;
import dev.berth.workflows.order.ReplaceOutcome;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One account at Alpaca, by its Trading API. */
final class AlpacaSession implements BrokerSession {
    private final AlpacaHttp http;
    private final Duration callLimit;
    private final KnownOrders known;
    private final AlpacaAccount account;
    private final SessionListener listener;
    private final AlpacaStream stream;
    private final AlpacaCancels cancels;

    AlpacaSession(AlpacaHttp http, Duration callLimit, AccountKey key, SessionListener listener) {
        this.http = http;
        this.callLimit = callLimit;
        this.listener = listener;
        this.known = new KnownOrders();
        AlpacaOpenOrders open = new AlpacaOpenOrders();
        AlpacaOpenOrderPages pages = new AlpacaOpenOrderPages(http, open, callLimit);
        this.account = new AlpacaAccount(http, key, open, pages, callLimit);
        AlpacaReconciliation reconciliation = new AlpacaReconciliation(this, known, pages, listener);
        this.stream = new AlpacaStream(http, known, open, listener, reconciliation);
        this.cancels = new AlpacaCancels(this, http, known, stream, callLimit);
    }

    /** Checks that the broker accepts the credentials. */
    void verify() throws IOException, InterruptedException {
        JsonNode answer = http.call(http.request("/v2/account").GET(), Purpose.SUBMISSION, callLimit)
                .requireSuccess();
        if (!answer.has("id")) {
            throw new IOException("the broker's answer is no account");
        }
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

    /** Ids of another form belong to no order of Berth, and a full page may hide some that do. */
    @Override
    public boolean hasWorkingOrders(OwnOrders own) throws IOException, InterruptedException {
        JsonNode page = orders("open");
        Set<ClientOrderId> ids = new LinkedHashSet<>();
        page.forEach(order -> AlpacaOrders.id(order).ifPresent(id -> ids.add(id.order())));
        return page.size() >= AlpacaOpenOrderPages.PAGE_SIZE || (!ids.isEmpty() && own.containAny(ids));
    }

    /** Without a stream nothing has told which orders ended. */
    @Override
    public AccountReport readAccount(boolean listsOrders) throws IOException, InterruptedException {
        return account.read(listsOrders || !stream.isProven());
    }

    @Override
    public CancelVenueOrderOutcome cancelVenueOrder(String venueOrderId) throws IOException, InterruptedException {
        return cancels.cancelVenueOrder(venueOrderId);
    }

    @Override
    public List<AccountOrder> openOrders() throws IOException, InterruptedException {
        return account.openOrders();
    }

    @Override
    public Map<String, CancelVenueOrderOutcome> cancelAll(Duration within) throws IOException, InterruptedException {
        return cancels.cancelAll(within);
    }

    /** Up to 500 orders. */
    JsonNode orders(String status) throws IOException, InterruptedException {
        return http.list("/v2/orders?limit=500&status=" + status, callLimit);
    }

    @Override
    public PreparedOrder prepare(OrderRequest order) {
        HttpRequest.Builder request = http.request("/v2/orders");
        String body = AlpacaOrders.toAlpaca(order).toString();
        VenueClientOrderId id = new VenueClientOrderId(order.clientOrderId(), 0);
        return (limit, gate) -> submitted(http.write(request, "POST", body, gate, limit), order, id, limit);
    }

    private ExecutionReport submitted(AlpacaAnswer answer, OrderRequest order, VenueClientOrderId id, Duration limit)
            throws IOException, InterruptedException {
        return switch (answer.meaning()) {
            case DONE -> {
                ExecutionReport accepted = answered(id, report(id, answer.requireSuccess()));
                stream.expect(id);
                yield accepted;
            }
            case REFUSED -> {
                if (isAtVenue(id, limit)) {
                    throw answer.saysNothing();
                }
                yield AlpacaOrders.rejected(answer, http.epoch());
            }
            case DUPLICATE -> duplicate(order, id, limit);
            // For example old ones: the order itself was not refused.
            case CREDENTIALS_REFUSED ->
                throw new NotSentException("the broker refused the credentials", AlpacaAnswer.credentialsRefused());
            case RATE_LIMITED -> throw new NotSentException("the broker's rate limit is reached", answer.saysNothing());
            case ABSENT, NOTHING -> throw answer.saysNothing();
        };
    }

    /**
     * Whether the venue has an order that it refuses: a proxy that repeats a request gets the
     * answer to the second. Without a stream, one more request asks.
     */
    private boolean isAtVenue(VenueClientOrderId id, Duration limit) throws InterruptedException {
        boolean isKnown = known.find(id).isPresent();
        if (isKnown || stream.isProven()) {
            return isKnown;
        }
        try {
            return byClientOrderId(id, limit).meaning() == Meaning.DONE;
        } catch (IOException unavailable) {
            // The refusal stands.
            return false;
        }
    }

    /** The order at the venue is this one only with the same terms. */
    private ExecutionReport duplicate(OrderRequest order, VenueClientOrderId id, Duration limit)
            throws IOException, InterruptedException {
        AlpacaAnswer answer = byClientOrderId(id, limit);
        if (answer.meaning() == Meaning.ABSENT) {
            throw new IOException("a duplicate that cannot be found");
        }
        JsonNode found = answer.requireSuccess();
        ExecutionReport report = report(id, found);
        return AlpacaOrders.isSame(order, found) ? answered(id, report) : AlpacaOrders.duplicateOfAnother(http.epoch());
    }

    /** Keeps the report, so that a cancel needs no look-up. */
    ExecutionReport answered(VenueClientOrderId id, ExecutionReport report) {
        if (known.answered(id, report)) {
            listener.accountChanged();
        }
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
        AlpacaAnswer answer = byClientOrderId(id, callLimit);
        return answer.meaning() == Meaning.ABSENT ? Optional.empty() : Optional.of(report(id, answer.requireSuccess()));
    }

    private AlpacaAnswer byClientOrderId(VenueClientOrderId id, Duration limit)
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
        return order.withExecutions(new AlpacaActivities(http, callLimit).executions(order));
    }

    @Override
    public Optional<ExecutionReport> cancel(VenueClientOrderId id) throws IOException, InterruptedException {
        return cancels.cancel(id);
    }

    @Override
    public ReplaceOutcome replace(ReplaceOrder order, WriteGate gate) throws IOException, InterruptedException {
        return new AlpacaReplacement(this, order).make(gate);
    }

    /** Writes a replacement, with the limit of a submission at most. */
    AlpacaAnswer patch(ExecutionReport version, ObjectNode body, WriteGate gate)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = http.request("/v2/orders/" + version.venueOrderId());
        Duration limit = callLimit.compareTo(OrderPolicies.BROKER_CALL) < 0 ? callLimit : OrderPolicies.BROKER_CALL;
        return http.write(request, "PATCH", body.toString(), gate, limit);
    }

    /**
     * The order that was asked about.
     *
     * @throws IOException when this is no order, or another one
     */
    ExecutionReport report(VenueClientOrderId id, JsonNode order) throws IOException {
        return AlpacaOrders.read(order, http.epoch())
                .filter(_ -> AlpacaOrders.id(order).equals(Optional.of(id)))
                .orElseThrow(() -> new IOException("the broker's answer is not order " + id));
    }

    /** Empty for what is no order, or has an amount instead of a quantity. */
    Optional<ExecutionReport> read(JsonNode order) {
        return AlpacaOrders.read(order, http.epoch());
    }

    @Override
    public void close() {
        stream.close();
    }
}
