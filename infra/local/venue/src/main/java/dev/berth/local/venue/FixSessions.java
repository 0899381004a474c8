package dev.berth.local.venue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import quickfix.Message;
import quickfix.Session;
import quickfix.field.PossResend;
import quickfix.fix44.ExecutionReport;

/**
 * The FIX sessions, at most one of each account. A session lives on without a connection: its
 * messages have numbers, and wait for the next logon.
 */
final class FixSessions {

    private final Map<String, Session> sessions = new ConcurrentHashMap<>();
    private final Map<String, Integer> logons = new ConcurrentHashMap<>();
    private final FaultDice dice;

    FixSessions(FaultDice dice) {
        this.dice = dice;
    }

    @Nullable
    Session find(String account) {
        return sessions.get(account);
    }

    Session findOrCreate(String account, Function<String, Session> creation) {
        return sessions.computeIfAbsent(account, creation);
    }

    /** Counts a logon that came, accepted or not. */
    void countLogon(String account) {
        logons.merge(account, 1, Integer::sum);
    }

    /** Of each account that has logged on. */
    List<FixSessionState> states() {
        return sessions.entrySet().stream()
                .map(entry ->
                        FixSessionState.of(entry.getKey(), entry.getValue(), logons.getOrDefault(entry.getKey(), 0)))
                .toList();
    }

    /** Ignores an account that never used FIX. */
    void send(String account, Message message) {
        var session = find(account);
        if (session == null) {
            return;
        }
        session.send(message);
        if (message instanceof ExecutionReport && dice.repeatsFixReport()) {
            message.getHeader().setBoolean(PossResend.FIELD, true);
            session.send(message);
        }
    }

    /** Cuts the connection, without a Logout. */
    void cut(String account) {
        var session = find(account);
        if (session == null) {
            return;
        }
        try {
            session.disconnect("cut by the venue", false);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
