package dev.berth.temporal.gateway;

import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.Execution;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a worker and its gateway say about the journal of a FIX session. User and epoch are the
 * caller's own: no message names them.
 */
public final class FixJournalMessages {
    private FixJournalMessages() {}

    /** Names one of the user's accounts with the broker {@code fix}. */
    public record FixAccountRequest(AccountKey account) {}

    /**
     * The sequence numbers of a session.
     *
     * @param nextSender of the next message to the counterparty
     * @param nextTarget of the next one from it
     */
    public record FixNumbers(int nextSender, int nextTarget) {
        /** Of a new session. */
        public static final FixNumbers FIRST = new FixNumbers(1, 1);
    }

    /**
     * A message that is about to be written.
     *
     * @param number the next one
     * @param text null for a message of the session itself, such as a Logon with its password
     */
    public record AppendFixMessageRequest(
            AccountKey account, int number, @Nullable String text) {
        /** An order has a tenth. */
        public static final int LONGEST = 8_192;

        private static final String LOGON = "\u000135=A\u0001";

        public AppendFixMessageRequest {
            requireNumber(number);
            if (text != null && (text.length() > LONGEST || text.contains(LOGON))) {
                throw new IllegalArgumentException(
                        "text is an application's message of at most " + LONGEST + " characters");
            }
        }

        @Override
        public String toString() {
            return "AppendFixMessageRequest[number=" + number + "]";
        }
    }

    /**
     * What one message said about an order.
     *
     * @param clientOrderId with its version, as sent
     * @param working whether the order may still trade
     * @param executions of this message
     */
    public record FixOrderChange(String clientOrderId, boolean working, List<Execution> executions) {
        /** A trade, or a correction and what it corrects. */
        public static final int MOST_EXECUTIONS = 2;

        public FixOrderChange {
            executions = List.copyOf(executions);
            VenueClientOrderId.parse(clientOrderId);
            if (executions.size() > MOST_EXECUTIONS) {
                throw new IllegalArgumentException("more than " + MOST_EXECUTIONS + " executions");
            }
        }
    }

    /**
     * The messages before this number count: what they said is with their orders.
     *
     * @param changes of those that count since the last call, in their order
     */
    public record FixReceivedRequest(AccountKey account, int nextTarget, List<FixOrderChange> changes) {
        public static final int MOST_CHANGES = 100;

        public FixReceivedRequest {
            requireNumber(nextTarget);
            changes = List.copyOf(changes);
            if (changes.size() > MOST_CHANGES) {
                throw new IllegalArgumentException("more than " + MOST_CHANGES + " changes");
            }
        }
    }

    /**
     * Asks for the executions of one version of an order.
     *
     * @param clientOrderId with its version, as sent
     */
    public record FixExecutionsRequest(AccountKey account, String clientOrderId) {
        public FixExecutionsRequest {
            VenueClientOrderId.parse(clientOrderId);
        }
    }

    /** Those that counted; a busted one says so. */
    public record FixExecutionsAnswer(List<Execution> executions) {
        public FixExecutionsAnswer {
            executions = List.copyOf(executions);
        }
    }

    /** The orders that work, by the reports that counted. */
    public record FixWorkingOrdersAnswer(List<String> clientOrderIds) {
        public FixWorkingOrdersAnswer {
            clientOrderIds = List.copyOf(clientOrderIds);
        }
    }

    private static void requireNumber(int number) {
        if (number < 1) {
            throw new IllegalArgumentException("a sequence number is 1 or more");
        }
    }
}
