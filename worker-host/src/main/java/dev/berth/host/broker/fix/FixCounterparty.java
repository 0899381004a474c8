package dev.berth.host.broker.fix;

import dev.berth.host.broker.BrokerCredentials;
import dev.berth.workflows.broker.FixCredentials;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import quickfix.Message;
import quickfix.SessionID;
import quickfix.field.Password;
import quickfix.field.Username;

/**
 * Who is connected with whom.
 *
 * @param tls null for a connection in plain
 * @param senderSubId null when the counterparty wants none
 * @param credentials the key id is SenderCompID
 */
record FixCounterparty(
        FixAddress address,
        @Nullable SSLSocketFactory tls,
        @Nullable String senderSubId,
        String targetCompId,
        BrokerCredentials credentials) {
    private static final String BEGIN_STRING = "FIX.4.4";

    SessionID sessionId() {
        return new SessionID(
                BEGIN_STRING,
                credentials.keyId(),
                senderSubId == null ? SessionID.NOT_SET : senderSubId,
                SessionID.NOT_SET,
                targetCompId,
                credentials.field(FixCredentials.TARGET_SUB_ID).orElse(SessionID.NOT_SET),
                SessionID.NOT_SET,
                SessionID.NOT_SET);
    }

    /** Puts what proves the account into a Logon. */
    void identify(Message logon) {
        credentials.field(FixCredentials.USERNAME).ifPresent(name -> logon.setString(Username.FIELD, name));
        logon.setString(Password.FIELD, credentials.secret());
    }
}
