package dev.berth.local.venue;

import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.config.RoutesConfig;
import io.javalin.http.HttpResponseException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http.UriCompliance.Violation;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.ServerConnector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running venue: the part of Alpaca's Trading API v2 that orders need, its {@code trade_updates}
 * stream, controls under {@code /_control}, and FIX 4.4. It listens on 127.0.0.1 only.
 */
public final class PaperVenue implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PaperVenue.class);

    /** Pending connections; thousands of clients may connect at once. */
    private static final int CONNECTION_BURST = 1024;

    private final BookLedger ledger;
    private final FixAcceptor fix;
    private final Javalin server;

    private PaperVenue(BookLedger ledger, FixAcceptor fix, Javalin server) {
        this.ledger = ledger;
        this.fix = fix;
        this.server = server;
    }

    /**
     * Starts a venue from the state in its book.
     *
     * @param port of HTTP; 0 for a free one
     * @param fixPort of FIX; 0 for a free one
     * @param bookFile created with its folders if absent; only one venue at a time may use it. The
     *     FIX sessions lie beside it
     * @param epochHeader the request header whose number each arrival records; null: none
     * @param rules how strict the venue is
     * @throws UncheckedIOException if the book cannot be read or written
     * @throws io.javalin.util.JavalinBindException if the port is taken
     * @throws IllegalStateException if the FIX port is taken
     */
    public static PaperVenue start(
            int port, int fixPort, Path bookFile, @Nullable String epochHeader, VenueRules rules) {
        var parts = VenueParts.of(open(bookFile), rules);
        var fix = startFix(fixPort, bookFile.resolveSibling("fix"), parts);
        parts.ledger().subscribe(update -> {
            parts.updates().publish(update);
            fix.report(update);
        });
        var server = Javalin.create(config -> {
            listenLocally(config, port);
            config.startup.showJavalinBanner = false;
            config.startup.showOldJavalinVersionWarning = false;
            config.concurrency.useVirtualThreads = true;
            routes(config.routes, parts, epochHeader);
            config.routes.get("/_control/fix", ctx -> Http.answer(ctx, 200, Map.of("sessions", fix.sessions())));
        });
        var venue = new PaperVenue(parts.ledger(), fix, server);
        try {
            server.start();
            return venue;
        } catch (RuntimeException e) {
            venue.close();
            throw e;
        }
    }

    /** As the other {@code start}, with a free FIX port and as strict as Alpaca. */
    public static PaperVenue start(int port, Path bookFile, @Nullable String epochHeader) {
        return start(port, 0, bookFile, epochHeader, VenueRules.STRICT);
    }

    /** As the other {@code start}; arrivals record no epoch. */
    public static PaperVenue start(int port, Path bookFile) {
        return start(port, bookFile, null);
    }

    private static BookLedger open(Path bookFile) {
        try {
            return new BookLedger(bookFile);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static FixAcceptor startFix(int port, Path folder, VenueParts parts) {
        try {
            return FixAcceptor.start(port, folder, parts.exchange(), parts.dice(), parts.clock());
        } catch (RuntimeException e) {
            close(parts.ledger());
            throw e;
        }
    }

    private static void routes(RoutesConfig routes, VenueParts parts, @Nullable String epochHeader) {
        var ledger = parts.ledger();
        var clock = parts.clock();
        var dice = parts.dice();
        var exchange = parts.exchange();
        var limits = new RequestLimits(dice, parts.rules(), clock);
        new Proxy(dice).register(routes);
        routes.before("/v2/*", limits::count);
        new SubmissionApi(exchange, dice, clock, epochHeader).register(routes);
        new OrderApi(exchange, dice).register(routes);
        new ActivityApi(exchange).register(routes);
        new AccountApi(exchange, clock).register(routes);
        new SessionApi(exchange, new SessionControl(ledger, parts.matching(), clock), clock).register(routes);
        new AssetApi(exchange).register(routes);
        new PositionApi(exchange, new PositionClosing(ledger, parts.entry())).register(routes);
        new QuoteApi(exchange, clock).register(routes);
        new ControlApi(exchange, new MarketControl(ledger, clock), dice, parts.updates()).register(routes);
        routes.ws("/stream", parts.updates()::register);
        routes.exception(VenueRefusal.class, (refusal, ctx) -> Http.answer(ctx, refusal));
        routes.exception(
                HttpResponseException.class,
                (e, ctx) -> Http.answer(ctx, e.getStatus(), Map.of("message", String.valueOf(e.getMessage()))));
        routes.exception(Exception.class, (e, ctx) -> {
            LOG.error("{} {} failed", ctx.method(), ctx.path(), e);
            Http.answer(ctx, 500, Map.of("code", 50010000, "message", "internal server error occurred"));
        });
    }

    /** No idle time-outs: a hung submission must hang until its client gives up. */
    private static void listenLocally(JavalinConfig config, int port) {
        config.jetty.addConnector((jetty, http) -> {
            var connector = new ServerConnector(jetty, new HttpConnectionFactory(http));
            // The slash of a crypto pair is encoded in paths.
            http.setUriCompliance(UriCompliance.DEFAULT.with("pairs", Violation.AMBIGUOUS_PATH_SEPARATOR));
            connector.setHost("127.0.0.1");
            connector.setPort(port);
            connector.setIdleTimeout(0);
            connector.setAcceptQueueSize(CONNECTION_BURST);
            return connector;
        });
        config.jetty.modifyServletContextHandler(
                handler -> handler.getServletHandler().setDecodeAmbiguousURIs(true));
        config.jetty.modifyWebSocketServletFactory(factory -> factory.setIdleTimeout(Duration.ZERO));
    }

    public int port() {
        return server.port();
    }

    /** Where FIX is served. */
    public int fixPort() {
        return fix.port();
    }

    /** Stops at once; everything confirmed is in the book. Idempotent. */
    @Override
    public void close() {
        server.stop();
        fix.close();
        close(ledger);
    }

    private static void close(BookLedger ledger) {
        try {
            ledger.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
