package dev.berth.workflows.order;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.ScriptedAnswers;
import dev.berth.workflows.UserId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A read model that keeps what it was told, once it can be reached. */
final class FakeOrderRecords implements OrderRecords {
    final List<OrderState> steps = new CopyOnWriteArrayList<>();
    final List<Execution> ledger = new CopyOnWriteArrayList<>();
    final List<ExecutionReport> late = new CopyOnWriteArrayList<>();
    /** What a late report makes of the order; nothing, unless it is told otherwise. */
    final ScriptedAnswers<Optional<OrderState>> corrections = new ScriptedAnswers<>(Optional.empty());

    final List<HistoryPosition> positions = new CopyOnWriteArrayList<>();
    final AtomicInteger calls = new AtomicInteger();
    /** How far the order was, each time that it was to be written. */
    final List<OrderStatus> tried = new CopyOnWriteArrayList<>();

    final ScriptedAnswers<Boolean> reachable = new ScriptedAnswers<>(true);

    @Override
    public void record(
            UserId userId,
            ClientOrderId clientOrderId,
            List<OrderState> written,
            List<Execution> executions,
            HistoryPosition from) {
        positions.add(from);
        calls.incrementAndGet();
        if (!written.isEmpty()) {
            tried.add(written.getLast().status());
        }
        reachable.take();
        steps.addAll(written);
        ledger.addAll(executions);
    }

    @Override
    public @Nullable OrderState read(UserId userId, ClientOrderId clientOrderId) {
        return steps.isEmpty() ? null : steps.getLast();
    }

    @Override
    public @Nullable OrderState recordLateReport(UserId userId, ClientOrderId clientOrderId, ExecutionReport report) {
        late.add(report);
        return corrections.take().orElse(null);
    }

    List<OrderStatus> statuses() {
        return steps.stream().map(OrderState::status).toList();
    }

    List<Integer> revisions() {
        return steps.stream().map(OrderState::revision).toList();
    }
}
