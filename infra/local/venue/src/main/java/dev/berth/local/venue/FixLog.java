package dev.berth.local.venue;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import quickfix.Log;

/** A session's log: its errors alone, without passwords, which stand in messages. */
final class FixLog implements Log {

    private static final Logger LOG = LoggerFactory.getLogger(FixLog.class);

    @Override
    public void clear() {}

    @Override
    public void onIncoming(String message) {}

    @Override
    public void onOutgoing(String message) {}

    @Override
    public void onEvent(String text) {}

    @Override
    public void onErrorEvent(String text) {
        LOG.debug("{}", text.replaceAll("\\b554=[^\\x01]*", "554=***"));
    }
}
