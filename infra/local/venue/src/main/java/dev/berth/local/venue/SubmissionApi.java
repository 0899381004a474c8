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
 * The two calls that create orders. Records each as an arrival on receipt, and only then delays it,
 * applies a fault or books it.
 */
final class SubmissionApi {

    /** Books an order; its arrival gets the verdict. Fails with a {@link VenueRefusal}. */
    @FunctionalInterface
    private interface Booking {
        VenueOrder book(String account, Fields form, String clientOrderId, UUID arrival, SubmissionVerdict verdict);
    }

    private final Exchange exchange;
    private final FaultDice dice;
    private final InstantSource clock;
    private final @Nullable String epochHeader;

    SubmissionApi(Exchange exchange, FaultDice dice, InstantSource clock, @Nullable String epochHeader) {
        this.exchange = exchange;
        this.dice = dice;
        this.clock = clock;
        this.epochHeader = epochHeader;
    }

    void register(RoutesConfig routes) {
        routes.post("/v2/orders", ctx -> receive(ctx, false, this::submit));
        routes.patch("/v2/orders/{id}", ctx -> receive(ctx, true, replaceOf(ctx.pathParam("id"))));
    }

    private VenueOrder submit(
            String account, Fields form, String clientOrderId, UUID arrival, SubmissionVerdict verdict) {
        return exchange.submit(account, OrderForms.order(form, clientOrderId), arrival, verdict);
    }

    private Booking replaceOf(String id) {
        return (account, form, clientOrderId, arrival, verdict) -> exchange.replace(
                account, Http.orderId(id), old -> OrderForms.replacement(old, form, clientOrderId), arrival, verdict);
    }

    private void receive(Context ctx, boolean replaces, Booking booking) {
        var body = ctx.body();
        // Read the clock after the body: a sender may pause after the headers.
        var received = clock.instant();
        var form = parse(body);
        var clientOrderId = form == null ? null : OrderForms.clientOrderId(form);
        var arrival = new VenueArrival(
                UUID.randomUUID(),
                received,
                ctx.header(Http.KEY_ID),
                clientOrderId,
                epoch(ctx),
                SubmissionVerdict.PENDING);
        // Draw before the arrival is visible: faults set after that are for later submissions.
        var draw = dice.draw(replaces);
        exchange.recordArrival(arrival);
        ctx.future(() -> draw.release()
                .thenRunAsync(() -> {}, after(draw.delay()))
                .thenCompose(_ -> carryOut(ctx, arrival, form, draw.fault(), booking)));
    }

    /** Completes with the response; never, if a fault suppresses the response. */
    private CompletableFuture<Void> carryOut(
            Context ctx,
            VenueArrival arrival,
            @Nullable Fields form,
            FaultDice.SubmissionFault fault,
            Booking booking) {
        try {
            var account = Http.account(ctx, exchange);
            return switch (fault) {
                case HANG -> {
                    exchange.judge(arrival.id(), SubmissionVerdict.HUNG);
                    yield new CompletableFuture<>();
                }
                case REFUSE -> throw VenueRefusal.refusedByFault();
                case SERVER_ERROR -> throw VenueRefusal.serverErrorByFault();
                case DROP_ANSWER -> {
                    book(booking, account, arrival, form, SubmissionVerdict.ANSWER_DROPPED);
                    cutConnection(ctx);
                    yield new CompletableFuture<>();
                }
                case REPLACE_ERROR -> {
                    book(booking, account, arrival, form, SubmissionVerdict.ANSWER_DROPPED);
                    Http.answer(ctx, VenueRefusal.serverErrorByFault());
                    yield CompletableFuture.completedFuture(null);
                }
                case NONE -> {
                    var order = book(booking, account, arrival, form, SubmissionVerdict.ACCEPTED);
                    Http.answer(ctx, 200, OrderJson.of(order));
                    yield CompletableFuture.completedFuture(null);
                }
            };
        } catch (VenueRefusal refusal) {
            exchange.judge(arrival.id(), refusal.verdict());
            Http.answer(ctx, refusal);
            return CompletableFuture.completedFuture(null);
        }
    }

    private static VenueOrder book(
            Booking booking, String account, VenueArrival arrival, @Nullable Fields form, SubmissionVerdict verdict) {
        if (form == null || arrival.clientOrderId() == null) {
            throw VenueRefusal.malformed("request body format is invalid");
        }
        return booking.book(account, form, arrival.clientOrderId(), arrival.id(), verdict);
    }

    private static @Nullable Fields parse(String body) {
        try {
            return Fields.of(body);
        } catch (VenueRefusal refusal) {
            return null;
        }
    }

    private @Nullable Long epoch(Context ctx) {
        var header = epochHeader == null ? null : ctx.header(epochHeader);
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
