package dev.berth.local.venue;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Stands in front of the venue, and gives {@link ProxyAnswer}s. */
final class Proxy {

    private static final String ANSWER = "berth-proxy-answer";

    private final FaultDice dice;

    Proxy(FaultDice dice) {
        this.dice = dice;
    }

    void register(RoutesConfig routes) {
        routes.before("/v2/*", this::before);
        routes.after("/v2/*", Proxy::after);
    }

    private void before(Context ctx) {
        dice.proxyAnswer(ctx.method().name(), ctx.path()).ifPresent(answer -> {
            if (answer.carriedOut()) {
                ctx.attribute(ANSWER, answer);
            } else {
                write(ctx, answer);
                ctx.skipRemainingHandlers();
            }
        });
    }

    private static void after(Context ctx) {
        ProxyAnswer answer = ctx.attribute(ANSWER);
        if (answer != null) {
            write(ctx, answer);
        }
    }

    private static void write(Context ctx, ProxyAnswer answer) {
        answer.headers().forEach(ctx::header);
        if (answer.status() != null) {
            ctx.status(answer.status());
        }
        var body = Objects.requireNonNullElse(answer.body() != null ? answer.body() : ctx.result(), "");
        ctx.contentType(body.startsWith("<") ? "text/html" : "application/json");
        if (answer.cut()) {
            cut(ctx, body.getBytes(StandardCharsets.UTF_8));
        } else {
            ctx.result(body);
        }
    }

    /** Jetty ends a connection on which it could not write all that it announced. */
    private static void cut(Context ctx, byte[] body) {
        ctx.result("");
        ctx.res().setContentLength(body.length + 1);
        try {
            ctx.res().getOutputStream().write(body);
            ctx.res().flushBuffer();
        } catch (IOException ended) {
            throw new UncheckedIOException(ended);
        }
    }
}
