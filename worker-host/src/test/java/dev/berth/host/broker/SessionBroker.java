package dev.berth.host.broker;

import dev.berth.remote.Broker;
import dev.berth.temporal.OrderSamples;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderTerms;
import dev.berth.workflows.order.OrderType;
import dev.berth.workflows.order.ReplaceOrder;
import dev.berth.workflows.order.ReplaceOutcome;
import dev.berth.workflows.order.Side;
import dev.berth.workflows.order.TimeInForce;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A customer's adapter that uses one of Berth's own. */
final class SessionBroker implements Broker {
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final BrokerSession session;

    SessionBroker(BrokerSession session) {
        this.session = session;
    }

    private interface Call<T> {
        T make() throws IOException, InterruptedException;
    }

    private static <T> T call(Call<T> call) throws IOException, InterruptedException {
        try {
            return call.make();
        } catch (BrokerSession.NotSentException notSent) {
            throw new NotSentException(String.valueOf(notSent.getMessage()));
        } catch (BrokerSession.RefusedException refused) {
            throw new RefusedException(String.valueOf(refused.getMessage()));
        }
    }

    @Override
    public void start(BiConsumer<String, Report> onReport) {
        // Its session reports.
    }

    private static OrderRequest request(
            String id, String side, String type, OrderTerms terms, String timeInForce, AccountKey account) {
        return new OrderRequest(
                OrderSamples.ALICE,
                new ClientOrderId(id),
                account,
                "AAPL",
                Side.valueOf(side.toUpperCase(Locale.ROOT)),
                OrderType.valueOf(type.toUpperCase(Locale.ROOT)),
                terms.quantity(),
                terms.limitPrice(),
                terms.stopPrice(),
                TimeInForce.valueOf(timeInForce.toUpperCase(Locale.ROOT)),
                3,
                Duration.ofMinutes(2),
                Instant.now());
    }

    private static @Nullable Decimal decimal(@Nullable BigDecimal value) {
        return value == null ? null : new Decimal(value);
    }

    @Override
    public Report send(String account, Order order) throws IOException, InterruptedException {
        OrderTerms terms =
                new OrderTerms(new Decimal(order.quantity()), decimal(order.limitPrice()), decimal(order.stopPrice()));
        OrderRequest request = request(
                order.clientOrderId(), order.side(), order.type(), terms, order.timeInForce(), OrderSamples.ACCOUNT);
        return call(() -> report(
                new VenueClientOrderId(request.clientOrderId(), 0),
                session.prepare(request).send(LIMIT, Optional::empty)));
    }

    @Override
    public Optional<Report> find(String account, String id) throws IOException, InterruptedException {
        VenueClientOrderId version = VenueClientOrderId.parse(id);
        return call(() -> session.find(version).map(found -> report(version, found)));
    }

    @Override
    public Optional<Report> findExecutions(String account, String id) throws IOException, InterruptedException {
        VenueClientOrderId version = VenueClientOrderId.parse(id);
        return call(() -> session.findExecutions(version).map(found -> report(version, found)));
    }

    @Override
    public Optional<Report> cancel(String account, String id) throws IOException, InterruptedException {
        VenueClientOrderId version = VenueClientOrderId.parse(id);
        return call(() -> session.cancel(version).map(found -> report(version, found)));
    }

    /** Orders of the suite are limit orders to buy where they are replaced. */
    @Override
    public Report replace(String account, Replacement replacement) throws IOException, InterruptedException {
        VenueClientOrderId current = VenueClientOrderId.parse(replacement.current());
        VenueClientOrderId next = VenueClientOrderId.parse(replacement.next());
        OrderTerms terms = new OrderTerms(new Decimal(replacement.quantity()), decimal(replacement.limitPrice()), null);
        OrderRequest request = request(current.order().value(), "buy", "limit", terms, "day", OrderSamples.ACCOUNT);
        ReplaceOutcome outcome = call(() -> session.replace(
                new ReplaceOrder(request, current.version(), next.version(), terms, Decimal.ZERO), Optional::empty));
        return switch (outcome) {
            case ReplaceOutcome.Replaced made -> report(next, made.next());
            case ReplaceOutcome.NotReplaced not ->
                throw new NotSentException(not.reason().text());
        };
    }

    @Override
    public boolean hasWorkingOrders(String account) throws IOException, InterruptedException {
        return call(() -> session.hasWorkingOrders(_ -> true));
    }

    @Override
    public void ping(String account) throws IOException, InterruptedException {
        call(() -> {
            session.ping();
            return true;
        });
    }

    static Report report(VenueClientOrderId id, ExecutionReport report) {
        return new Report(
                new VenueClientOrderId(id.order(), report.version()).toString(),
                Status.valueOf(report.status().name()),
                report.venueStatus(),
                report.venueOrderId(),
                report.quantity() == null ? null : report.quantity().value(),
                report.filledQuantity().value(),
                report.averagePrice() == null ? null : report.averagePrice().value(),
                report.reason() == null
                        ? null
                        : new Reason(report.reason().code(), report.reason().text()),
                report.updatedAt(),
                report.executions().stream()
                        .map(execution -> new Execution(
                                execution.executionId(),
                                execution.quantity().value(),
                                execution.price().value(),
                                execution.at(),
                                execution.busted()))
                        .toList());
    }
}
