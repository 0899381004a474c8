package dev.berth.workflows.order;

import dev.berth.workflows.Answers;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A read model that keeps what it was told, once it can be reached. */
final class FakeOrderRecords implements OrderRecords {
    final List<OrderState> steps = new CopyOnWriteArrayList<>();
    final AtomicInteger calls = new AtomicInteger();
    final Answers<Boolean> reachable = new Answers<>(true);

    @Override
    public void record(List<OrderState> written) {
        calls.incrementAndGet();
        reachable.take();
        steps.addAll(written);
    }

    List<OrderStatus> statuses() {
        return steps.stream().map(OrderState::status).toList();
    }

    List<Integer> revisions() {
        return steps.stream().map(OrderState::revision).toList();
    }
}
