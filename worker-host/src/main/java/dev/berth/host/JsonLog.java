package dev.berth.host;

import dev.berth.workflows.Json;
import dev.berth.workflows.UserId;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.logging.ConsoleHandler;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.slf4j.MDC;

/**
 * Log lines as JSON on standard error, with the fields of the logging context such as userId and
 * orderId.
 */
final class JsonLog extends Formatter {
    /** The user that the process serves; part of every line once it is known. */
    private static volatile Map<String, String> user = Map.of();

    private JsonLog() {}

    /** Runs work whose expected refusals are not logged. */
    static void quietly(Runnable work) {
        Handler console = Logger.getLogger("").getHandlers()[0];
        console.setLevel(Level.SEVERE);
        try {
            work.run();
        } finally {
            console.setLevel(Level.ALL);
        }
    }

    static void serving(UserId userId, long epoch) {
        user = Map.of("userId", userId.value(), "epoch", Long.toString(epoch));
    }

    static void install() {
        LogManager.getLogManager().reset();
        ConsoleHandler console = new ConsoleHandler();
        console.setFormatter(new JsonLog());
        Logger root = Logger.getLogger("");
        root.addHandler(console);
        root.setLevel(Level.INFO);
        // INFO would log each start, stop and lost poll of Temporal's workers.
        Logger.getLogger("io.temporal").setLevel(Level.WARNING);
    }

    @Override
    public String format(LogRecord record) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("time", Instant.ofEpochMilli(record.getMillis()).toString());
        line.put("level", record.getLevel().getName());
        line.put("logger", record.getLoggerName());
        line.put("message", formatMessage(record));
        line.putAll(user);
        Map<String, String> context = MDC.getCopyOfContextMap();
        if (context != null) {
            line.putAll(context);
        }
        if (record.getThrown() != null) {
            StringWriter trace = new StringWriter();
            record.getThrown().printStackTrace(new PrintWriter(trace));
            line.put("error", trace.toString());
        }
        return Json.write(line) + System.lineSeparator();
    }
}
