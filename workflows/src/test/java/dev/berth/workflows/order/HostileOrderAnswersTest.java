package dev.berth.workflows.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.Json;
import dev.berth.workflows.Samples;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.order.SubmitOutcome.Answered;
import dev.berth.workflows.order.SubmitOutcome.Cause;
import dev.berth.workflows.order.SubmitOutcome.Declined;
import dev.berth.workflows.untrusted.GeneratedAnswers;
import dev.berth.workflows.untrusted.RawAnswers;
import dev.berth.workflows.untrusted.UntrustedAnswers;
import io.temporal.activity.Activity;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowStub;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever a worker answers about an order, the order's workflow goes on and ends. */
@Tag("X31")
class HostileOrderAnswersTest {
    private static final long SEED = 35;
    private static final int PARSED = 10_000;
    /** In a round: with many more at once activities would time out on a busy machine. */
    private static final int ORDERS = 60;
    /** Each order gets so many generated answers, then true ones. */
    private static final int HOSTILE = 5;

    private static final ExecutionReport REPORT = Samples.report(OrderStatus.PARTIALLY_FILLED, "4")
            .withQuantity(Decimal.of("10"))
            .withUpdatedAt(Samples.ANSWERED)
            .withExecutions(List.of(Samples.execution("e-1", "4")));

    private static final List<Object> FOUND = List.of(new FindOutcome.Found(REPORT), new FindOutcome.Absent(1));

    /** A good answer of each kind, by activity type. */
    private static final Map<String, List<Object>> GOOD = Map.of(
            "submitOrder",
            List.of(
                    new Answered(REPORT, Samples.ANSWERED),
                    new Declined(Cause.FENCED),
                    new Declined(Cause.RISK, FailureCode.NOT_SENT.because("no"))),
            "findOrder",
            FOUND,
            "replaceOrder",
            List.of(
                    FakeVenueControl.replaced("4"),
                    new ReplaceOutcome.NotReplaced(REPORT, FailureCode.NOT_REPLACED.because("late"))));

    @Test
    @DisplayName(
            "10,000 generated answers: each is read or refused, and what is read has a next state that can be stored")
    void generatedAnswersAreReadOrRefused() {
        GeneratedAnswers generated = new GeneratedAnswers(SEED);
        int read = 0;
        for (int i = 0; i < PARSED; i++) {
            Object good = goods().get(i % goods().size());
            String json = generated.of(good);
            Optional<?> answer = UntrustedAnswers.parse(json, typeOf(good));
            read += answer.isPresent() ? 1 : 0;
            answer.ifPresent(
                    value -> assertThatCode(() -> apply(value)).as(json).doesNotThrowAnyException());
        }
        assertThat(read).as("answers that were read").isBetween(PARSED / 100, PARSED / 2);
    }

    @Test
    @DisplayName("An execution id that is too long for the index of the store is no answer")
    void longExecutionId() {
        String longest = Json.write(new FindOutcome.Found(REPORT)).replace("e-1", "e".repeat(256));
        assertThat(UntrustedAnswers.parse(longest, FindOutcome.class)).isPresent();
        assertThat(UntrustedAnswers.parse(longest.replace("eee", "eeee"), FindOutcome.class))
                .isEmpty();
    }

    private static List<Object> goods() {
        return GOOD.values().stream().flatMap(List::stream).toList();
    }

    private static Class<?> typeOf(Object good) {
        return switch (good) {
            case SubmitOutcome _ -> SubmitOutcome.class;
            case FindOutcome _ -> FindOutcome.class;
            default -> ReplaceOutcome.class;
        };
    }

    private static void apply(Object answer) {
        OrderState sent = OrderState.accepted(Samples.market(Duration.ofMinutes(1)))
                .attempted(Samples.ANSWERED)
                .dispatched(Samples.ANSWERED);
        List<OrderState> next = switch (answer) {
            case Answered(var report, var at) ->
                List.of(sent.dispatched(at).reported(report), sent.corrected(report, FailureCode.BUST.because("b")));
            case FindOutcome.Found(var report, var _) -> List.of(sent.reported(report));
            case ReplaceOutcome.Replaced(var before, var after) ->
                List.of(sent.replaced(OrderTerms.of(sent.request()), before, after));
            case ReplaceOutcome.NotReplaced(var report, var reason) ->
                List.of(sent.reported(report).because(reason, Samples.ANSWERED));
            default -> List.of(sent);
        };
        next.forEach(state ->
                assertThat(Json.read(Json.write(state), OrderState.class)).isEqualTo(state));
    }

    @Test
    @DisplayName("Generated answers and reports through the workflow: every order ends, and no workflow task fails")
    @Timeout(600)
    void everyOrderEnds() {
        answerInRounds(1);
    }

    @Test
    @Tag("long")
    @DisplayName("The same for 600 orders")
    @Timeout(600)
    void everyOneOfManyOrdersEnds() {
        answerInRounds(10);
    }

    private void answerInRounds(int rounds) {
        GeneratedAnswers generated = new GeneratedAnswers(SEED);
        Map<String, AtomicInteger> asked = new ConcurrentHashMap<>();
        RawAnswers worker = new RawAnswers(type -> {
            String order =
                    String.valueOf(Activity.getExecutionContext().getInfo().getWorkflowId());
            int question =
                    asked.computeIfAbsent(order, _ -> new AtomicInteger()).incrementAndGet();
            List<Object> good = GOOD.getOrDefault(type, FOUND);
            synchronized (generated) {
                return question > HOSTILE ? Json.write(truth(type)) : generated.of(good.get(question % good.size()));
            }
        });
        try (OrderFixture fixture = OrderFixture.withWorker(worker)) {
            for (int round = 0; round < rounds; round++) {
                List<OrderRequest> orders = new ArrayList<>();
                for (int i = 0; i < ORDERS; i++) {
                    orders.add(begin(fixture, round * ORDERS + i, generated));
                }
                orders.forEach(order -> requireEnd(fixture, order));
            }
        }
        assertThat(asked.values().stream().mapToInt(AtomicInteger::get).sum()).isGreaterThan(rounds * ORDERS * 3);
    }

    private static void requireEnd(OrderFixture fixture, OrderRequest order) {
        OrderWorkflow workflow = fixture.server.client().newWorkflowStub(OrderWorkflow.class, OrderFixture.id(order));
        assertThat(fixture.end(workflow).status().isFinal()).isTrue();
        assertThat(fixture.server.history(OrderFixture.id(order)))
                .noneMatch(HistoryEvent::hasWorkflowTaskFailedEventAttributes)
                .hasSizeLessThan(2_000);
        fixture.server.replay(OrderFixture.id(order), OrderWorkflowImpl.class);
    }

    /** Some orders also get a report that the gateway would not let pass. */
    private static OrderRequest begin(OrderFixture fixture, int number, GeneratedAnswers generated) {
        OrderRequest sample = Samples.market(Duration.ofMinutes(1));
        OrderRequest order = new OrderRequest(
                sample.userId(),
                new ClientOrderId("o-" + number),
                sample.account(),
                sample.symbol(),
                sample.side(),
                sample.type(),
                sample.quantity(),
                null,
                null,
                sample.timeInForce(),
                3,
                sample.dispatchWithin(),
                fixture.server.now());
        OrderWorkflow workflow =
                fixture.server.workflow(OrderWorkflow.class, OrderFixture.id(order), TaskQueues.ORDERS);
        WorkflowClient.start(workflow::run, OrderState.accepted(order));
        WorkflowStub stub = WorkflowStub.fromTyped(workflow);
        if (number % 3 == 0) {
            stub.signal("report");
            stub.signal("accountRefused");
            synchronized (generated) {
                stub.signal("report", RawAnswers.raw(generated.of(REPORT)));
            }
        }
        return order;
    }

    private static Object truth(String type) {
        return switch (type) {
            case "submitOrder" -> FakeVenueOrders.answered(OrderStatus.FILLED, "10");
            case "replaceOrder" ->
                new ReplaceOutcome.NotReplaced(
                        Samples.report(OrderStatus.FILLED, "10"), FailureCode.NOT_REPLACED.because("filled"));
            default -> FakeVenueControl.executions(Samples.execution("e-whole", "10"));
        };
    }
}
