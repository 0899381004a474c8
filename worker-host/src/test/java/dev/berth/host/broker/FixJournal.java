package dev.berth.host.broker;

import dev.berth.workflows.order.Execution;
import java.io.IOException;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import quickfix.MemoryStore;
import quickfix.MessageStore;

/**
 * A FIX session's sequence numbers, messages and executions, which outlive the process: as the
 * worker gateway would keep them. Each write is fenced by the epoch.
 */
final class FixJournal {
    private final MemoryStore messages;
    private final Map<String, Map<String, Execution>> executions = new ConcurrentHashMap<>();
    private long epoch;

    FixJournal() throws IOException {
        this.messages = new MemoryStore();
    }

    /** From now on only this epoch or a later one writes. */
    synchronized void open(long byEpoch) throws IOException {
        require(byEpoch);
        epoch = byEpoch;
    }

    synchronized void require(long byEpoch) throws IOException {
        if (byEpoch < epoch) {
            throw new IOException("the session belongs to epoch " + epoch);
        }
    }

    void executed(String clientId, Execution execution) {
        Map<String, Execution> known = executions.computeIfAbsent(clientId, _ -> new ConcurrentSkipListMap<>());
        if (execution.busted()) {
            known.remove(execution.executionId());
        } else {
            known.put(execution.executionId(), execution);
        }
    }

    List<Execution> executions(String clientId) {
        return List.copyOf(executions.getOrDefault(clientId, Map.of()).values());
    }

    /** The store of the process with this epoch. */
    MessageStore storeOf(long byEpoch) {
        return new Fenced(byEpoch);
    }

    private final class Fenced implements MessageStore {
        private final long byEpoch;

        private Fenced(long byEpoch) {
            this.byEpoch = byEpoch;
        }

        @Override
        public boolean set(int sequence, String message) throws IOException {
            require(byEpoch);
            return messages.set(sequence, message);
        }

        @Override
        public void get(int start, int end, Collection<String> into) throws IOException {
            messages.get(start, end, into);
        }

        @Override
        public int getNextSenderMsgSeqNum() throws IOException {
            return messages.getNextSenderMsgSeqNum();
        }

        @Override
        public int getNextTargetMsgSeqNum() throws IOException {
            return messages.getNextTargetMsgSeqNum();
        }

        @Override
        public void setNextSenderMsgSeqNum(int next) throws IOException {
            require(byEpoch);
            messages.setNextSenderMsgSeqNum(next);
        }

        @Override
        public void setNextTargetMsgSeqNum(int next) throws IOException {
            require(byEpoch);
            messages.setNextTargetMsgSeqNum(next);
        }

        @Override
        public void incrNextSenderMsgSeqNum() throws IOException {
            require(byEpoch);
            messages.incrNextSenderMsgSeqNum();
        }

        @Override
        public void incrNextTargetMsgSeqNum() throws IOException {
            require(byEpoch);
            messages.incrNextTargetMsgSeqNum();
        }

        @Override
        public Date getCreationTime() throws IOException {
            return messages.getCreationTime();
        }

        @Override
        public void reset() throws IOException {
            require(byEpoch);
            messages.reset();
        }

        @Override
        public void refresh() {
            // The journal is shared: there is nothing to read again.
        }
    }
}
