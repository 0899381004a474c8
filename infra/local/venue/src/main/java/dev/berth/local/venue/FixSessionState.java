package dev.berth.local.venue;

import quickfix.Session;

/**
 * A FIX session, connected or not.
 *
 * @param account its key id
 * @param nextSender number of the venue's next message
 * @param nextTarget number that the account's next message must have
 * @param logons that came since the start of the venue, also those that were refused
 */
record FixSessionState(String account, boolean connected, int nextSender, int nextTarget, int logons) {

    static FixSessionState of(String account, Session session, int logons) {
        return new FixSessionState(
                account,
                session.hasResponder(),
                session.getExpectedSenderNum(),
                session.getExpectedTargetNum(),
                logons);
    }
}
