package dev.berth.local.venue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import quickfix.ApplicationAdapter;
import quickfix.ConfigError;
import quickfix.DefaultMessageFactory;
import quickfix.MemoryStore;
import quickfix.Message;
import quickfix.Session;
import quickfix.SessionID;
import quickfix.SessionSettings;
import quickfix.SocketInitiator;
import quickfix.field.ClOrdID;
import quickfix.field.MsgType;
import quickfix.field.OrdType;
import quickfix.field.OrderQty;
import quickfix.field.Password;
import quickfix.field.Price;
import quickfix.field.Side;
import quickfix.field.Symbol;
import quickfix.field.TransactTime;
import quickfix.fix44.NewOrderSingle;

/** QuickFIX/J as the client, with its dictionary and its own idea of numbers. */
class FixInitiatorTest extends VenueFixture {
    private static final SessionID SESSION = new SessionID("FIX.4.4", "alice", "VENUE");

    private final BlockingQueue<FixFields> received = new LinkedBlockingQueue<>();

    private final class Client extends ApplicationAdapter {
        @Override
        public void toAdmin(Message message, SessionID session) {
            if (message.getHeader()
                    .getOptionalString(MsgType.FIELD)
                    .filter(MsgType.LOGON::equals)
                    .isPresent()) {
                message.setString(Password.FIELD, "paper-alice");
            }
        }

        @Override
        public void fromApp(Message message, SessionID session) {
            received.add(FixFields.parse(message.toString()));
        }
    }

    private SocketInitiator start(MemoryStore store) throws ConfigError {
        var settings = new SessionSettings();
        settings.setString("ConnectionType", "initiator");
        settings.setString("StartTime", "00:00:00");
        settings.setString("EndTime", "00:00:00");
        settings.setString("NonStopSession", "Y");
        settings.setString("HeartBtInt", "5");
        settings.setString("ReconnectInterval", "1");
        settings.setString("SocketConnectHost", "127.0.0.1");
        settings.setLong("SocketConnectPort", venue.fixPort());
        settings.setString("DataDictionary", "FIX44.xml");
        settings.setString(SESSION, "BeginString", "FIX.4.4");
        settings.setString(SESSION, "SenderCompID", "alice");
        settings.setString(SESSION, "TargetCompID", "VENUE");
        var initiator =
                new SocketInitiator(new Client(), _ -> store, settings, _ -> new FixLog(), new DefaultMessageFactory());
        initiator.start();
        await().until(() -> session().isLoggedOn());
        return initiator;
    }

    private static Session session() {
        return Objects.requireNonNull(Session.lookupSession(SESSION));
    }

    private String next() throws InterruptedException {
        return Objects.requireNonNull(received.poll(20, TimeUnit.SECONDS)).outcome();
    }

    @Test
    void engineTradesAndHearsOfWhatItMissed() throws Exception {
        var store = new MemoryStore();
        var first = start(store);
        var order = new NewOrderSingle(
                new ClOrdID("a"), new Side(Side.BUY), new TransactTime(), new OrdType(OrdType.LIMIT));
        order.set(new Symbol("AAPL"));
        order.set(new OrderQty(2));
        order.set(new Price(90));
        session().send(order);
        assertThat(next()).isEqualTo("00");
        first.stop(true);
        client.quote("AAPL", "{\"bid\":\"89\",\"ask\":\"90\"}");

        var second = start(store);

        assertThat(next()).isEqualTo("F2");
        second.stop(true);
    }
}
