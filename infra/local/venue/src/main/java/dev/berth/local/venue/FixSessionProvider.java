package dev.berth.local.venue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import quickfix.Application;
import quickfix.ConfigError;
import quickfix.DefaultMessageFactory;
import quickfix.DefaultSessionFactory;
import quickfix.FileStoreFactory;
import quickfix.MessageStore;
import quickfix.Session;
import quickfix.SessionFactory;
import quickfix.SessionID;
import quickfix.SessionSettings;
import quickfix.mina.SessionConnector;
import quickfix.mina.acceptor.AcceptorSessionProvider;

/**
 * Makes the session of an account at its first logon. Its numbers and messages are files beside the
 * book, in a folder named after the account's id.
 */
final class FixSessionProvider implements AcceptorSessionProvider {

    /** QuickFIX/J's sessions are those of the JVM; tests run several venues in one. */
    private final String qualifier = UUID.randomUUID().toString();

    private final FixSessions sessions;
    private final Exchange exchange;
    private final Path folder;
    private final SessionSettings settings;
    private final SessionFactory factory;

    FixSessionProvider(
            FixSessions sessions, Exchange exchange, Path folder, SessionSettings settings, Application application) {
        this.sessions = sessions;
        this.exchange = exchange;
        this.folder = folder;
        this.settings = settings;
        this.factory =
                new DefaultSessionFactory(application, this::store, _ -> new FixLog(), new DefaultMessageFactory());
    }

    @Override
    public Session getSession(SessionID id, SessionConnector connector) {
        return open(id.getTargetCompID(), connector);
    }

    /** Opens the session of each account that used FIX before, so that reports reach it. */
    void reopen(SessionConnector connector) {
        exchange.read(Book::accounts).stream()
                .filter(account -> Files.isDirectory(folderOf(account)))
                .forEach(account -> open(account.keyId(), connector));
    }

    private Session open(String keyId, SessionConnector connector) {
        return sessions.findOrCreate(keyId, _ -> {
            var session = create(keyId);
            connector.addDynamicSession(session);
            return session;
        });
    }

    private Session create(String keyId) {
        var id = new SessionID(FixLogonFilter.BEGIN_STRING, FixLogonFilter.VENUE, keyId, qualifier);
        try {
            return factory.create(id, settings);
        } catch (ConfigError e) {
            throw new IllegalStateException(e);
        }
    }

    private MessageStore store(SessionID id) {
        var account = exchange.read(book -> book.account(id.getTargetCompID()));
        var files = new SessionSettings();
        files.setString(
                FileStoreFactory.SETTING_FILE_STORE_PATH, folderOf(account).toString());
        // Key ids may have characters that file names may not.
        var name = new SessionID(id.getBeginString(), id.getSenderCompID(), "CLIENT");
        return new FileStoreFactory(files).create(name);
    }

    private Path folderOf(VenueAccount account) {
        return folder.resolve(account.id().toString());
    }
}
