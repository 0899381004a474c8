package dev.berth.host.broker.fix;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import quickfix.Message;

/** Makes the connections of one session, and passes on what they say. */
final class FixConnections implements FixLink.Connections, FixCallbacks.Owner {
    /** Who hears of it, from the first connection on. */
    private record Listeners(FixLink link, FixCalls calls, FixEvents events, FixReconciliation reconciliation) {}

    private final FixSettings settings;
    private final FixCounterparty counterparty;
    private final FixJournal journal;
    private final AtomicBoolean isCompared = new AtomicBoolean();
    private @Nullable Listeners listeners;

    FixConnections(FixSettings settings, FixCounterparty counterparty, FixJournal journal) {
        this.settings = settings;
        this.counterparty = counterparty;
        this.journal = journal;
    }

    /** Before the first connection. */
    void begin(FixLink link, FixCalls calls, FixEvents events, FixReconciliation reconciliation) {
        listeners = new Listeners(link, calls, events, reconciliation);
    }

    private Listeners listeners() {
        if (listeners == null) {
            throw new IllegalStateException("no connection is made before that");
        }
        return listeners;
    }

    @Override
    public FixConnection connect() throws IOException {
        return new FixConnection(settings, counterparty, journal, this);
    }

    @Override
    public void ended() {
        listeners().calls().ended();
    }

    @Override
    public void identify(Message logon) {
        counterparty.identify(logon);
    }

    /** A process that has just begun does not know what the one before it missed. */
    @Override
    public void loggedOn(boolean gap) {
        listeners().link().loggedOn();
        if (!isCompared.getAndSet(true) || gap || settings.resetOnLogon() || settings.cancelsOnDisconnect()) {
            listeners().reconciliation().start();
        }
    }

    @Override
    public void loggedOut(String words) {
        listeners().link().loggedOut(words);
    }

    @Override
    public FixCallbacks.Passed received(Message message) {
        return listeners().events().received(message);
    }

    @Override
    public void rejected(Message reject) {
        listeners().calls().answered(reject);
    }
}
