package dev.berth.local.venue;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.mina.core.filterchain.IoFilterAdapter;
import org.apache.mina.core.session.AttributeKey;
import org.apache.mina.core.session.IoSession;
import org.jspecify.annotations.Nullable;
import quickfix.MessageUtils;
import quickfix.Session;
import quickfix.field.BeginString;
import quickfix.field.MsgSeqNum;
import quickfix.field.MsgType;
import quickfix.field.Password;
import quickfix.field.SenderCompID;
import quickfix.field.SendingTime;
import quickfix.field.TargetCompID;
import quickfix.field.Text;
import quickfix.fix44.Logout;
import quickfix.mina.SessionConnector;

/**
 * Decides on each connection's logon before QuickFIX/J knows of it: a refused one makes no session,
 * takes no number of one, and leaves the connection that has the session alone.
 */
final class FixLogonFilter extends IoFilterAdapter {

    static final String BEGIN_STRING = "FIX.4.4";
    static final String VENUE = "VENUE";
    static final String CREDENTIALS_REFUSED = "the credentials are refused";
    static final String ALREADY_LOGGED_ON = "the session is logged on over another connection";

    private static final AttributeKey ACCEPTED = new AttributeKey(FixLogonFilter.class, "accepted");
    private static final AttributeKey WAITED = new AttributeKey(FixLogonFilter.class, "waited");

    /** A client may return before the venue has read that its connection before has ended. */
    private static final Executor AFTER_GRACE =
            CompletableFuture.delayedExecutor(250, TimeUnit.MILLISECONDS, Thread::startVirtualThread);

    private final FixSessions sessions;
    private final Exchange exchange;
    private final FaultDice dice;

    FixLogonFilter(FixSessions sessions, Exchange exchange, FaultDice dice) {
        this.sessions = sessions;
        this.exchange = exchange;
        this.dice = dice;
    }

    @Override
    public void messageReceived(NextFilter next, IoSession connection, Object message) {
        var text = String.valueOf(message);
        var type = MessageUtils.getStringField(text, MsgType.FIELD);
        if (!connection.containsAttribute(ACCEPTED)) {
            if (!MsgType.LOGON.equals(type)) {
                connection.closeNow();
                return;
            }
            if (!accepts(next, connection, text)) {
                return;
            }
            connection.setAttribute(ACCEPTED);
        } else if (!MessageUtils.isAdminMessage(String.valueOf(type)) && dice.cutsFixBefore()) {
            connection.closeNow();
            return;
        }
        next.messageReceived(connection, message);
    }

    /** If not, closes the connection, at a refusal after a Logout that says why. */
    private boolean accepts(NextFilter next, IoSession connection, String logon) {
        var account = MessageUtils.getStringField(logon, SenderCompID.FIELD);
        if (account == null
                || !BEGIN_STRING.equals(MessageUtils.getStringField(logon, BeginString.FIELD))
                || !VENUE.equals(MessageUtils.getStringField(logon, TargetCompID.FIELD))) {
            connection.closeNow();
            return false;
        }
        if (!connection.containsAttribute(WAITED)) {
            sessions.countLogon(account);
        }
        var reason = refusal(account, MessageUtils.getStringField(logon, Password.FIELD));
        if (reason == null) {
            return true;
        }
        if (reason.equals(ALREADY_LOGGED_ON) && connection.setAttribute(WAITED) == null) {
            AFTER_GRACE.execute(() -> receiveAgain(next, connection, logon));
            return false;
        }
        connection.write(logout(account, reason).toString());
        connection.closeOnFlush();
        return false;
    }

    private void receiveAgain(NextFilter next, IoSession connection, String logon) {
        if (connection.isConnected()) {
            messageReceived(next, connection, logon);
        }
    }

    private @Nullable String refusal(String account, @Nullable String password) {
        try {
            Http.account(account, password, exchange);
        } catch (VenueRefusal refused) {
            return CREDENTIALS_REFUSED;
        }
        var session = sessions.find(account);
        return session != null && session.hasResponder() ? ALREADY_LOGGED_ON : null;
    }

    private static Logout logout(String account, String reason) {
        var logout = new Logout();
        var header = logout.getHeader();
        header.setString(SenderCompID.FIELD, VENUE);
        header.setString(TargetCompID.FIELD, account);
        header.setInt(MsgSeqNum.FIELD, 1);
        header.setUtcTimeStamp(SendingTime.FIELD, LocalDateTime.now(ZoneOffset.UTC), true);
        logout.setString(Text.FIELD, reason);
        return logout;
    }

    /** A session that the venue has cut already may have its next connection: that one stays. */
    @Override
    public void sessionClosed(NextFilter next, IoSession connection) {
        if (connection.getAttribute(SessionConnector.QF_SESSION) instanceof Session session
                && !isBound(session, connection)) {
            connection.removeAttribute(SessionConnector.QF_SESSION);
        }
        next.sessionClosed(connection);
    }

    private static boolean isBound(Session session, IoSession connection) {
        var responder = session.getResponder();
        return responder != null
                && String.valueOf(connection.getRemoteAddress()).equals(responder.getRemoteAddress());
    }
}
