package dev.berth.workflows.order;

import dev.berth.workflows.Answers;
import dev.berth.workflows.Samples;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** A worker's control queue. The venue has the order and cancels it unless told otherwise. */
final class FakeVenueControl implements VenueControl {
    /** When somebody asked, and about which attempt. */
    record Question(Instant at, int attempt) {}

    final List<Question> questions = new CopyOnWriteArrayList<>();
    final List<OrderRequest> cancels = new CopyOnWriteArrayList<>();
    final Answers<FindOutcome> found = new Answers<>(found(OrderStatus.FILLED, "10"));
    final Answers<FindOutcome> canceled = new Answers<>(found(OrderStatus.CANCELED, "0"));
    private final Supplier<Instant> clock;

    FakeVenueControl(Supplier<Instant> clock) {
        this.clock = clock;
    }

    static FindOutcome found(OrderStatus status, String filled) {
        return new FindOutcome.Found(Samples.report(status, filled));
    }

    @Override
    public FindOutcome find(FindOrder question) {
        questions.add(new Question(clock.get(), question.attempt()));
        return found.take();
    }

    @Override
    public FindOutcome cancel(OrderRequest request) {
        cancels.add(request);
        return canceled.take();
    }
}
