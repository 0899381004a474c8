package dev.berth.host.order;

import dev.berth.host.broker.BrokerSession;
import dev.berth.workflows.broker.AccountKey;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The broker sessions of this process, one an account. */
public final class Sessions implements AutoCloseable {
    private final Map<AccountKey, BrokerSession> open = new ConcurrentHashMap<>();

    public void add(AccountKey account, BrokerSession session) {
        BrokerSession before = open.put(account, session);
        if (before != null) {
            before.close();
        }
    }

    public Optional<BrokerSession> of(AccountKey account) {
        return Optional.ofNullable(open.get(account));
    }

    @Override
    public void close() {
        open.values().forEach(BrokerSession::close);
        open.clear();
    }
}
