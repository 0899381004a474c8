package dev.berth.workflows.order;

import dev.berth.workflows.Samples;
import dev.berth.workflows.ScriptedAnswers;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A worker's orders queue in front of a venue that fills at once unless told otherwise. */
final class FakeVenueOrders implements VenueOrders {
    final List<SubmitOrder> calls = new CopyOnWriteArrayList<>();
    final ScriptedAnswers<SubmitOutcome> answers = new ScriptedAnswers<>(answered(OrderStatus.FILLED, "10"));

    static SubmitOutcome answered(OrderStatus status, String filled) {
        return answered(Samples.report(status, filled));
    }

    static SubmitOutcome answered(ExecutionReport report) {
        return new SubmitOutcome.Answered(report, Samples.ANSWERED.minusMillis(100));
    }

    @Override
    public SubmitOutcome submit(SubmitOrder command) {
        calls.add(command);
        return answers.take();
    }
}
