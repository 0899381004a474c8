package dev.berth.local.venue;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.apache.mina.core.service.IoAcceptor;
import quickfix.ConfigError;
import quickfix.DefaultMessageFactory;
import quickfix.MemoryStoreFactory;
import quickfix.RuntimeError;
import quickfix.SessionID;
import quickfix.SessionSettings;
import quickfix.SocketAcceptor;
import quickfix.mina.ProtocolFactory;

/**
 * The venue's FIX 4.4 port: the same accounts, book, rules and arrivals as REST. QuickFIX/J keeps
 * the sessions, and {@link FixApplication} serves the messages. It listens on 127.0.0.1 only.
 */
final class FixAcceptor implements AutoCloseable {

    private static final String HOST = "127.0.0.1";

    private final SocketAcceptor acceptor;
    private final FixSessions sessions;
    private final FixReporter reporter;

    private FixAcceptor(SocketAcceptor acceptor, FixSessions sessions, FixReporter reporter) {
        this.acceptor = acceptor;
        this.sessions = sessions;
        this.reporter = reporter;
    }

    /**
     * Starts with the sessions that the folder has.
     *
     * @param port 0 for a free one
     * @throws IllegalStateException if the port is taken
     */
    static FixAcceptor start(int port, Path folder, Exchange exchange, FaultDice dice, InstantSource clock) {
        var sessions = new FixSessions(dice);
        var reporter = new FixReporter(sessions);
        var application = new FixApplication(
                sessions,
                new FixSubmissions(exchange, sessions, dice, clock),
                new FixCancels(exchange, sessions, reporter),
                new FixStatusRequests(exchange, sessions),
                dice);
        var settings = settings(port);
        var provider = new FixSessionProvider(sessions, exchange, folder, settings, application);
        try {
            var acceptor = new SocketAcceptor(
                    application, new MemoryStoreFactory(), settings, _ -> new FixLog(), new DefaultMessageFactory());
            var address = ProtocolFactory.createSocketAddress(ProtocolFactory.SOCKET, HOST, port);
            acceptor.setSessionProvider(address, provider);
            var filter = new FixLogonFilter(sessions, exchange, dice);
            acceptor.setIoFilterChainBuilder(chain -> chain.addLast("logon", filter));
            acceptor.start();
            provider.reopen(acceptor);
            return new FixAcceptor(acceptor, sessions, reporter);
        } catch (ConfigError | RuntimeError e) {
            throw new IllegalStateException("no FIX on port " + port, e);
        }
    }

    private static SessionSettings settings(int port) {
        var settings = new SessionSettings();
        settings.setString("ConnectionType", "acceptor");
        settings.setString("SocketAcceptAddress", HOST);
        settings.setLong("SocketAcceptPort", port);
        settings.setString("SocketReuseAddress", "Y");
        settings.setString("StartTime", "00:00:00");
        settings.setString("EndTime", "00:00:00");
        settings.setString("NonStopSession", "Y");
        settings.setString("DataDictionary", "FIX44.xml");
        // For BerthEpoch.
        settings.setString("ValidateUserDefinedFields", "N");
        // What fails is answered, instead of being asked for again for ever.
        settings.setString("RejectMessageOnUnhandledException", "Y");
        var template = new SessionID(FixLogonFilter.BEGIN_STRING, FixLogonFilter.VENUE, "*");
        settings.setString(template, "AcceptorTemplate", "Y");
        return settings;
    }

    int port() {
        return acceptor.getEndpoints().stream()
                .map(IoAcceptor::getLocalAddress)
                .map(InetSocketAddress.class::cast)
                .findFirst()
                .orElseThrow()
                .getPort();
    }

    List<FixSessionState> sessions() {
        return sessions.states();
    }

    /** Called in the order of the book's events, outside of its lock. */
    void report(TradeUpdate update) {
        reporter.report(update);
    }

    /** Cuts every connection; the sessions stay in the folder. */
    @Override
    public void close() {
        acceptor.stop(true);
    }
}
