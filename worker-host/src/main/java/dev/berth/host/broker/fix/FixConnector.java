package dev.berth.host.broker.fix;

import dev.berth.host.broker.BrokerConnector;
import dev.berth.host.broker.BrokerCredentials;
import dev.berth.host.broker.BrokerSession;
import dev.berth.host.broker.SessionListener;
import dev.berth.host.gateway.WorkerGatewayClient;
import dev.berth.workflows.broker.AccountKey;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Opens sessions with counterparties that speak FIX 4.4. The engine is loaded when the first one is
 * opened.
 */
public final class FixConnector implements BrokerConnector {
    /** A counterparty may take some seconds to see that a killed process is gone. */
    private static final Duration LOGON = Duration.ofSeconds(15);

    private final FixSettings settings;
    private final Function<AccountKey, FixJournal> journals;
    private final long epoch;
    private final Duration callLimit;
    private final Map<AccountKey, BrokerSession> open = new HashMap<>();

    /**
     * Sends nothing yet.
     *
     * @param journals of an account, for this epoch
     * @param callLimit for each call except a submission, which has its own
     */
    public FixConnector(
            FixSettings settings, Function<AccountKey, FixJournal> journals, long epoch, Duration callLimit) {
        this.settings = settings;
        this.journals = journals;
        this.epoch = epoch;
        this.callLimit = callLimit;
    }

    /** With journals behind the gateway. */
    public FixConnector(FixSettings settings, WorkerGatewayClient gateway, long epoch, Duration callLimit) {
        this(settings, account -> new GatewayFixJournal(gateway, account), epoch, callLimit);
    }

    /** A counterparty has one session of an account: an earlier one of this process ends first. */
    @Override
    public synchronized BrokerSession open(AccountKey account, BrokerCredentials credentials, SessionListener listener)
            throws IOException, InterruptedException {
        FixCounterparty counterparty = settings.of(account, credentials);
        BrokerSession earlier = open.remove(account);
        if (earlier != null) {
            earlier.close();
        }
        FixSession session =
                new FixSession(account, counterparty, settings, journals.apply(account), epoch, callLimit, listener);
        session.open(LOGON.compareTo(callLimit) < 0 ? LOGON : callLimit);
        open.put(account, session);
        return session;
    }
}
