package dev.berth.local.venue;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Duration;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.jspecify.annotations.Nullable;

/**
 * The two calls that make orders. Each is recorded as an arrival the moment it is received, and only
 * then delayed, spoiled by a fault, or carried out.
 */
final class SubmissionApi {

    private static final String EPOCH = "Berth-Epoch";

    /** Books an order; its arrival gets the verdict. Fails with a {@link Refusal}. */
    @FunctionalInterface
    private interface Booking {
        Order book(String account, Fields form, String clientOrderId, UUID arrival, Verdict verdict);
    }

    private final Exchange exchange;
    private final FaultDice dice;
    private final InstantSource clock;

    SubmissionApi(Exchange exchange, FaultDice dice, InstantSource clock) {
        this.exchange = exchange;
        this.dice = dice;
        this.clock = clock;
    }

    void register(RoutesConfig routes) {
        routes.post("/v2/orders", ctx -> receive(ctx, this::submit));
        routes.patch("/v2/orders/{id}", ctx -> receive(ctx, replaceOf(ctx.pathParam("id"))));
    }

    private Order submit(String account, Fields form, String clientOrderId, UUID arrival, Verdict verdict) {
        return exchange.submit(account, OrderForms.order(form, clientOrderId), arrival, verdict);
    }

    private Booking replaceOf(String id) {
        return (account, form, clientOrderId, arrival, verdict) -> exchange.replace(
                account, Http.orderId(id), old -> OrderForms.replacement(old, form, clientOrderId), arrival, verdict);
    }

    private void receive(Context ctx, Booking booking) {
        var body = ctx.body();
        // Not before: its sender may still hold it back after the headers.
        var received = clock.instant();
        var form = readable(body);
        var clientOrderId = form == null ? null : OrderForms.clientOrderId(form);
        var arrival = new Arrival(
                UUID.randomUUID(), received, ctx.header(Http.KEY_ID), clientOrderId, epoch(ctx), Verdict.PENDING);
        // Whoever sees the arrival may set other faults, which are for those that come later.
        var draw = dice.draw();
        exchange.arrived(arrival);
        ctx.future(() -> draw.release()
                .thenRunAsync(() -> {}, after(draw.delay()))
                .thenCompose(_ -> carryOut(ctx, arrival, form, draw.fault(), booking)));
    }

    /** Completes once there is an answer; never, if there shall be none. */
    private CompletableFuture<Void> carryOut(
            Context ctx, Arrival arrival, @Nullable Fields form, FaultDice.Fault fault, Booking booking) {
        try {
            var account = Http.account(ctx, exchange);
            return switch (fault) {
                case HANG -> {
                    exchange.judge(arrival.id(), Verdict.HUNG);
                    yield new CompletableFuture<>();
                }
                case REFUSE -> throw Refusal.refusedByFault();
                case SERVER_ERROR -> throw Refusal.serverErrorByFault();
                case DROP_ANSWER -> {
                    book(booking, account, arrival, form, Verdict.ANSWER_DROPPED);
                    cutConnection(ctx);
                    yield new CompletableFuture<>();
                }
                case NONE -> {
                    var order = book(booking, account, arrival, form, Verdict.ACCEPTED);
                    Http.answer(ctx, 200, OrderJson.of(order));
                    yield CompletableFuture.completedFuture(null);
                }
            };
        } catch (Refusal refusal) {
            exchange.judge(arrival.id(), refusal.verdict());
            Http.answer(ctx, refusal);
            return CompletableFuture.completedFuture(null);
        }
    }

    private static Order book(
            Booking booking, String account, Arrival arrival, @Nullable Fields form, Verdict verdict) {
        if (form == null || arrival.clientOrderId() == null) {
            throw Refusal.malformed("request body format is invalid");
        }
        return booking.book(account, form, arrival.clientOrderId(), arrival.id(), verdict);
    }

    private static @Nullable Fields readable(String body) {
        try {
            return Fields.of(body);
        } catch (Refusal refusal) {
            return null;
        }
    }

    private static @Nullable Long epoch(Context ctx) {
        var header = ctx.header(EPOCH);
        return header != null && header.matches("\\d{1,18}") ? Long.valueOf(header) : null;
    }

    private static Executor after(Duration delay) {
        Executor thread = Thread::startVirtualThread;
        return delay.isZero()
                ? Runnable::run
                : CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS, thread);
    }

    private static void cutConnection(Context ctx) {
        ServletContextRequest.getServletContextRequest(ctx.req())
                .getConnectionMetaData()
                .getConnection()
                .getEndPoint()
                .close();
    }
}
