package dev.berth.workflows.order;

import dev.berth.workflows.Samples;
import dev.berth.workflows.ScriptedAnswers;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** A worker's control queue. The venue has the order and cancels it unless told otherwise. */
final class FakeVenueControl implements VenueControl {
    /** When a workflow asked, and about which attempt. */
    record Question(Instant at, int version, int attempt) {}

    final List<Question> questions = new CopyOnWriteArrayList<>();
    final List<String> namedVenueOrderIds = new CopyOnWriteArrayList<>();
    /** Of these versions in place of {@link #found}. */
    final Map<Integer, FindOutcome> foundVersions = new ConcurrentHashMap<>();
    /**
     * About executions that no worker told; it has one of the whole order, unless it is told
     * otherwise.
     */
    final List<Question> ledgerQuestions = new CopyOnWriteArrayList<>();

    final ScriptedAnswers<FindOutcome> executions =
            new ScriptedAnswers<>(executions(Samples.execution("e-whole", "10")));
    final List<CancelOrder> cancels = new CopyOnWriteArrayList<>();
    final ScriptedAnswers<FindOutcome> found = new ScriptedAnswers<>(found(OrderStatus.FILLED, "10"));
    final ScriptedAnswers<FindOutcome> canceled = new ScriptedAnswers<>(found(OrderStatus.CANCELED, "0"));
    final List<ReplaceOrder> replacements = new CopyOnWriteArrayList<>();
    final ScriptedAnswers<ReplaceOutcome> replaced = new ScriptedAnswers<>(replaced("0"));
    private final Supplier<Instant> clock;

    FakeVenueControl(Supplier<Instant> clock) {
        this.clock = clock;
    }

    /** The first replacement works; what it replaced came to so many fills. */
    static ReplaceOutcome replaced(String filledBefore) {
        return new ReplaceOutcome.Replaced(
                report(0, OrderStatus.PENDING_REPLACE, filledBefore), report(1, OrderStatus.NEW, "0"));
    }

    static ExecutionReport report(int version, OrderStatus status, String filled) {
        ExecutionReport sample = Samples.report(status, filled);
        return ExecutionReport.unfilled(version, status, sample.venueStatus(), sample.at(), 1)
                .withVenueOrderId("v-" + (version + 1))
                .withFilled(sample.filledQuantity(), sample.averagePrice());
    }

    static FindOutcome found(OrderStatus status, String filled) {
        return new FindOutcome.Found(Samples.report(status, filled));
    }

    /** The whole order is filled, by these. */
    static FindOutcome executions(Execution... executions) {
        return new FindOutcome.Found(Samples.report(OrderStatus.FILLED, "10").withExecutions(List.of(executions)));
    }

    @Override
    public FindOutcome find(FindOrder question) {
        questions.add(new Question(clock.get(), question.version(), question.attempt()));
        if (question.venueOrderId() != null) {
            namedVenueOrderIds.add(question.venueOrderId());
        }
        FindOutcome version = foundVersions.get(question.version());
        return version == null ? found.take() : version;
    }

    @Override
    public FindOutcome check(FindOrder question) {
        return find(question);
    }

    @Override
    public FindOutcome findExecutions(FindOrder question) {
        ledgerQuestions.add(new Question(clock.get(), question.version(), question.attempt()));
        return executions.take();
    }

    @Override
    public FindOutcome cancel(CancelOrder order) {
        cancels.add(order);
        return canceled.take();
    }

    @Override
    public ReplaceOutcome replace(ReplaceOrder order) {
        replacements.add(order);
        return replaced.take();
    }
}
