package dev.berth.host.broker.fix;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import quickfix.Log;

/** The engine's log, without messages: a Logon has the password. */
enum QuietFixLog implements Log {
    INSTANCE;

    private static final Logger LOG = LoggerFactory.getLogger(QuietFixLog.class);
    private static final String MESSAGE = "8=FIX";

    @Override
    public void clear() {
        // Nothing is kept.
    }

    @Override
    public void onIncoming(String message) {
        // It has orders.
    }

    @Override
    public void onOutgoing(String message) {
        // It may have the password.
    }

    @Override
    public void onEvent(String text) {
        // Each logon has a dozen.
    }

    @Override
    public void onErrorEvent(String text) {
        int message = text.indexOf(MESSAGE);
        LOG.warn("{}", message < 0 ? text : text.substring(0, message));
    }
}
