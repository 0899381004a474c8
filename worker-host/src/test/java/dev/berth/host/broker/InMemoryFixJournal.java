package dev.berth.host.broker;

import dev.berth.host.broker.fix.FixJournal;
import dev.berth.temporal.gateway.FixJournalMessages.FixNumbers;
import dev.berth.temporal.gateway.FixJournalMessages.FixOrderChange;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.Execution;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The journal of one account, as the gateway keeps it in PostgreSQL. */
final class InMemoryFixJournal {
    /** Before the call of a journal has its effect, and after; an exception is a lost process. */
    interface Fault {
        void before() throws IOException;

        void after() throws IOException;
    }

    private static final Fault NONE = new Fault() {
        @Override
        public void before() {}

        @Override
        public void after() {}
    };

    private final List<String> messages = new ArrayList<>();
    private final Map<String, Map<String, Execution>> executions = new LinkedHashMap<>();
    private final Set<String> working = new LinkedHashSet<>();
    private long epoch;
    private int nextSender = 1;
    private int nextTarget = 1;

    /** Messages that were stored before they were written. */
    synchronized List<String> messages() {
        return List.copyOf(messages);
    }

    synchronized FixNumbers numbers() {
        return new FixNumbers(nextSender, nextTarget);
    }

    /** As the process with this epoch sees it. */
    FixJournal of(long byEpoch) {
        return new OfEpoch(byEpoch, NONE);
    }

    FixJournal of(long byEpoch, Fault fault) {
        return new OfEpoch(byEpoch, fault);
    }

    private interface Call<T> {
        T execute() throws IOException;
    }

    private final class OfEpoch implements FixJournal {
        private final long byEpoch;
        private final Fault fault;

        private OfEpoch(long byEpoch, Fault fault) {
            this.byEpoch = byEpoch;
            this.fault = fault;
        }

        private <T> T call(Call<T> call) throws IOException {
            fault.before();
            T answer;
            synchronized (InMemoryFixJournal.this) {
                if (byEpoch < epoch) {
                    throw new FencedException(new IllegalStateException("epoch " + epoch));
                }
                answer = call.execute();
            }
            fault.after();
            return answer;
        }

        @Override
        public FixNumbers open() throws IOException {
            return call(() -> {
                epoch = byEpoch;
                return numbers();
            });
        }

        @Override
        public void append(int number, @Nullable String text) throws IOException {
            call(() -> {
                if (number != nextSender) {
                    throw new IOException("the next number is " + nextSender);
                }
                nextSender++;
                return text == null || messages.add(text);
            });
        }

        @Override
        public void received(int next, List<FixOrderChange> changes) throws IOException {
            call(() -> {
                nextTarget = Math.max(nextTarget, next);
                for (FixOrderChange change : changes) {
                    Map<String, Execution> known =
                            executions.computeIfAbsent(change.clientOrderId(), _ -> new LinkedHashMap<>());
                    change.executions().forEach(one -> known.put(one.executionId(), one));
                    boolean _ = change.working()
                            ? working.add(change.clientOrderId())
                            : working.remove(change.clientOrderId());
                }
                return true;
            });
        }

        @Override
        public void reset() throws IOException {
            call(() -> {
                nextSender = 1;
                nextTarget = 1;
                return true;
            });
        }

        @Override
        public List<Execution> executions(VenueClientOrderId id) throws IOException {
            return call(() ->
                    List.copyOf(executions.getOrDefault(id.toString(), Map.of()).values()));
        }

        @Override
        public List<VenueClientOrderId> working() throws IOException {
            return call(() -> working.stream().map(VenueClientOrderId::parse).toList());
        }
    }
}
