package dev.berth.local.venue;

import java.io.IOException;
import java.io.UncheckedIOException;
import quickfix.ApplicationAdapter;
import quickfix.FieldNotFound;
import quickfix.IncorrectTagValue;
import quickfix.Message;
import quickfix.Session;
import quickfix.SessionID;
import quickfix.UnsupportedMessageType;
import quickfix.field.BeginSeqNo;
import quickfix.field.EndSeqNo;
import quickfix.field.MsgSeqNum;
import quickfix.field.MsgType;
import quickfix.field.PossDupFlag;
import quickfix.field.Text;
import quickfix.fix44.Logout;
import quickfix.fix44.ResendRequest;

/** Passes the application messages of every session to what serves them, with the faults of FIX. */
final class FixApplication extends ApplicationAdapter {

    private final FixSessions sessions;
    private final FixSubmissions submissions;
    private final FixCancels cancels;
    private final FixStatusRequests statusRequests;
    private final FaultDice dice;

    FixApplication(
            FixSessions sessions,
            FixSubmissions submissions,
            FixCancels cancels,
            FixStatusRequests statusRequests,
            FaultDice dice) {
        this.sessions = sessions;
        this.submissions = submissions;
        this.cancels = cancels;
        this.statusRequests = statusRequests;
        this.dice = dice;
    }

    @Override
    public void fromApp(Message message, SessionID session)
            throws FieldNotFound, IncorrectTagValue, UnsupportedMessageType {
        var account = session.getTargetCompID();
        if (dice.faults().isRevoked(account)) {
            endRevoked(account, message);
            return;
        }
        serve(account, message);
        if (dice.requestsFixResend()) {
            requestResend(account);
        }
        if (dice.cutsFixAfter()) {
            sessions.cut(account);
        }
    }

    /** QuickFIX/J answers the exceptions: with a Reject, or a BusinessMessageReject. */
    private void serve(String account, Message message)
            throws FieldNotFound, IncorrectTagValue, UnsupportedMessageType {
        switch (FixRejections.type(message)) {
            case MsgType.ORDER_SINGLE, MsgType.ORDER_CANCEL_REPLACE_REQUEST -> submissions.receive(account, message);
            case MsgType.ORDER_CANCEL_REQUEST -> cancels.cancel(account, message);
            case MsgType.ORDER_MASS_CANCEL_REQUEST -> cancels.cancelAll(account, message);
            case MsgType.ORDER_STATUS_REQUEST -> statusRequests.report(account, message);
            case MsgType.ORDER_MASS_STATUS_REQUEST -> statusRequests.reportAll(account, message);
            default -> throw new UnsupportedMessageType();
        }
    }

    /** Carries nothing out; the next logon is refused by {@link FixLogonFilter}. */
    private void endRevoked(String account, Message message) throws FieldNotFound {
        switch (FixRejections.type(message)) {
            case MsgType.ORDER_SINGLE, MsgType.ORDER_CANCEL_REPLACE_REQUEST -> submissions.refuse(account, message);
            default -> {
                // Only submissions are arrivals.
            }
        }
        var logout = new Logout();
        logout.setString(Text.FIELD, FixLogonFilter.CREDENTIALS_REFUSED);
        sessions.send(account, logout);
        sessions.cut(account);
    }

    private void requestResend(String account) {
        var request = new ResendRequest();
        request.setInt(BeginSeqNo.FIELD, 1);
        request.setInt(EndSeqNo.FIELD, 0);
        sessions.send(account, request);
    }

    /** May skip a number: QuickFIX/J has locked the numbers, and stores the message after this. */
    @Override
    public void toApp(Message message, SessionID session) {
        var sender = sessions.find(session.getTargetCompID());
        if (sender == null || message.getHeader().isSetField(PossDupFlag.FIELD) || !dice.skipsFixNumber()) {
            return;
        }
        skipNumber(sender, message);
    }

    private static void skipNumber(Session sender, Message message) {
        int next = sender.getExpectedSenderNum() + 1;
        try {
            sender.setNextSenderMsgSeqNum(next);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        message.getHeader().setInt(MsgSeqNum.FIELD, next);
    }
}
