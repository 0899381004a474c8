package dev.berth.host.pool;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The warnings that one class logs. */
final class Warnings extends Handler implements AutoCloseable {
    private final List<String> all = new CopyOnWriteArrayList<>();
    private final Logger logger;

    Warnings(Class<?> of) {
        logger = Logger.getLogger(of.getName());
        logger.addHandler(this);
    }

    List<String> all() {
        return all;
    }

    @Override
    public void publish(LogRecord line) {
        if (line.getLevel().equals(Level.WARNING)) {
            all.add(line.getMessage());
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
