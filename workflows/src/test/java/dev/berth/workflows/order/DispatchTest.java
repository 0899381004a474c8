package dev.berth.workflows.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.FailureType;
import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.Samples;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.order.SubmitOutcome.Cause;
import dev.berth.workflows.order.SubmitOutcome.Declined;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.history.v1.ActivityTaskScheduledEventAttributes;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** How an order comes to its venue, or why it does not. */
class DispatchTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    void anOrderThatFillsAtOnceIsSentOnceAndKeepsItsTimes() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderState order = fixture.run(Samples.market(MINUTE));
            assertThat(order.status()).isEqualTo(OrderStatus.FILLED);
            assertThat(order.filledQuantity()).hasToString("10");
            assertThat(order.averagePrice()).hasToString("100.01");
            assertThat(order.dispatchedAt()).isEqualTo(Samples.ANSWERED.minusMillis(100));
            assertThat(order.acknowledgedAt()).isEqualTo(Samples.ANSWERED);
            assertThat(order.finalAt()).isEqualTo(Samples.ANSWERED);
            assertThat(order.workerEpoch()).isEqualTo(1);
            assertThat(order.attempts()).isEqualTo(1);
            assertThat(fixture.orders.calls).hasSize(1);
        }
    }

    @Test
    @Tag("A8")
    @DisplayName("An answer and the end of a pause in one task: no worker is asked for, which may be stopped by now")
    void answeredOrderAsksForNoWorker() {
        CompletableFuture<SubmitOutcome> answer = new CompletableFuture<>();
        CompletableFuture<Boolean> written = new CompletableFuture<>();
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.orders.answers.nextFrom(answer);
            // While this write is under way, so is the workflow task, for 4 s: the pause ends in 2.
            fixture.records.reachable.nextFrom(written::join);
            OrderWorkflow order = fixture.server.workflow(
                    OrderWorkflow.class,
                    OrderFixture.id(Samples.market(MINUTE)),
                    TaskQueues.ORDERS,
                    Duration.ofSeconds(5));
            fixture.begin(order, Samples.market(MINUTE));
            fixture.server.skipBeside(1, Duration.ofMillis(1_300));
            fixture.awaitEvents(Samples.market(MINUTE), EventType.EVENT_TYPE_TIMER_STARTED, 2);
            ExecutionReport whole =
                    Samples.report(OrderStatus.FILLED, "10").withExecutions(List.of(Samples.execution("e-1", "10")));
            answer.complete(FakeVenueOrders.answered(whole));
            await().until(() -> fixture.pendingActivities(Samples.market(MINUTE)) == 0);
            fixture.server.skip(Duration.ofSeconds(3));
            written.complete(true);
            assertThat(fixture.end(order).status()).isEqualTo(OrderStatus.FILLED);
            assertThat(fixture.server.history(OrderFixture.id(Samples.market(MINUTE))))
                    .filteredOn(HistoryEvent::hasTimerFiredEventAttributes)
                    .hasSize(2);
            assertThat(fixture.requests.asked).hasSize(1);
        }
    }

    @Test
    void anOrderThatFillsAtOnceHasAShortHistory() {
        // On a busy machine one may wait for a second, and ask for a worker.
        int shortest = Math.min(eventsOfAFill(), Math.min(eventsOfAFill(), eventsOfAFill()));
        assertThat(shortest).isLessThanOrEqualTo(20);
    }

    private static int eventsOfAFill() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            ExecutionReport whole =
                    Samples.report(OrderStatus.FILLED, "10").withExecutions(List.of(Samples.execution("e-1", "10")));
            fixture.orders.answers.next(FakeVenueOrders.answered(whole));
            fixture.run(Samples.market(MINUTE));
            return fixture.server
                    .history(OrderFixture.id(Samples.market(MINUTE)))
                    .size();
        }
    }

    @Test
    @Tag("E4")
    @DisplayName("An order whose admission saw a worker takes four billable actions when it fills at once")
    void fillsAtOnceForFourActions() {
        OrderRequest request = Samples.market(MINUTE);
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            ExecutionReport whole =
                    Samples.report(OrderStatus.FILLED, "10").withExecutions(List.of(Samples.execution("e-1", "10")));
            fixture.orders.answers.next(FakeVenueOrders.answered(whole));
            OrderWorkflow order = fixture.prepare(request);
            WorkflowClient.start(order::run, OrderState.accepted(request, true));
            assertThat(fixture.end(order).status()).isEqualTo(OrderStatus.FILLED);
            assertThat(fixture.server.billableActions(OrderFixture.id(request))).isEqualTo(4);
        }
    }

    @Test
    @Tag("E3")
    @Tag("E4")
    @DisplayName("An order whose admission saw a worker asks for one only when it is told that it is missing")
    void asksWhenWorkerIsMissing() {
        OrderRequest request = Samples.market(Duration.ofMinutes(10));
        try (OrderFixture fixture = OrderFixture.withoutWorker()) {
            OrderWorkflow order = fixture.prepare(request);
            WorkflowClient.start(order::run, OrderState.accepted(request, true));
            fixture.awaitEvents(request, EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED, 1);
            fixture.server.skipBeside(1, MINUTE);
            assertThat(fixture.server.history(OrderFixture.id(request)))
                    .noneMatch(HistoryEvent::hasTimerStartedEventAttributes);
            assertThat(fixture.requests.asked).isEmpty();
            order.workerMissing();
            order.workerMissing();
            await().until(() -> {
                fixture.server.skipBeside(1, Duration.ofSeconds(2));
                return fixture.requests.asked.size() >= 2;
            });
            assertThat(fixture.records.statuses()).containsExactly(OrderStatus.PENDING);
            assertThat(order.cancel().status()).isEqualTo(OrderStatus.CANCELED);
            fixture.server.replay(OrderFixture.id(request), OrderWorkflowImpl.class);
        }
    }

    @Test
    @Tag("X3")
    @DisplayName("Nothing stands before the submit, and the server never repeats it by itself")
    void theFirstTaskSchedulesTheSubmit() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.run(Samples.market(MINUTE));
            HistoryEvent afterFirstTask = fixture.server
                    .history(OrderFixture.id(Samples.market(MINUTE)))
                    .get(4);
            ActivityTaskScheduledEventAttributes submit = afterFirstTask.getActivityTaskScheduledEventAttributes();
            assertThat(submit.getActivityType().getName()).isEqualTo("submitOrder");
            assertThat(submit.getTaskQueue().getName()).isEqualTo("user-alice");
            assertThat(submit.getRetryPolicy().getMaximumAttempts()).isEqualTo(1);
            assertThat(submit.getHeartbeatTimeout().getSeconds()).isEqualTo(3);
            assertThat(submit.getStartToCloseTimeout().getSeconds()).isEqualTo(20);
            assertThat(submit.getScheduleToStartTimeout().getSeconds()).isBetween(50L, 60L);
            assertThat(submit.getPriority().getPriorityKey()).isEqualTo(3);
        }
    }

    @Test
    @Tag("E3")
    @DisplayName("An order that no worker takes asks for a worker at growing pauses and fails at its " + "deadline")
    void untakenOrderFailsAtDeadline() {
        OrderRequest request = Samples.market(Duration.ofMinutes(10));
        try (OrderFixture fixture = OrderFixture.withoutWorker()) {
            OrderWorkflow order = fixture.begin(request);
            Duration left = Duration.between(fixture.server.now(), request.deadline());
            fixture.server.skipBeside(1, left.minusSeconds(4));
            assertThat(order.state().status()).isEqualTo(OrderStatus.PENDING);
            OrderState end = fixture.end(order);
            assertThat(end.status()).isEqualTo(OrderStatus.FAILED);
            assertThat(end.reason()).asString().startsWith("capacity: not-taken: ");
            assertThat(end.finalAt())
                    .isBetween(request.deadline(), request.deadline().plusSeconds(15));
            assertThat(end.attempts()).isEqualTo(1);
        }
    }

    @Test
    @Tag("E4")
    @DisplayName("A waiting order asks for a worker after 1, 2, 4, 8 and then every 15 s, up to a " + "quarter longer")
    void pausesBetweenRequests() {
        try (OrderFixture fixture = OrderFixture.withoutWorker()) {
            fixture.begin(Samples.market(Duration.ofMinutes(10)));
            fixture.server.skipBeside(1, Duration.ofSeconds(70));
            List<Integer> pauses = List.of(1, 2, 4, 8, 15, 15);
            assertThat(fixture.requests.asked).hasSizeGreaterThanOrEqualTo(pauses.size());
            List<Double> timers = fixture.server.history(OrderFixture.id(Samples.market(MINUTE))).stream()
                    .filter(HistoryEvent::hasTimerStartedEventAttributes)
                    .map(event -> event.getTimerStartedEventAttributes().getStartToFireTimeout())
                    .map(time -> time.getSeconds() + time.getNanos() / 1e9)
                    .toList();
            for (int i = 0; i < pauses.size(); i++) {
                assertThat(timers.get(i)).as("pause %d", i).isBetween(1.0 * pauses.get(i), 1.25 * pauses.get(i));
            }
        }
    }

    @Test
    @Tag("E4")
    @DisplayName("An order stays pending, and asks on, when its requests for a worker fail")
    void requestsForAWorkerFail() {
        try (OrderFixture fixture = OrderFixture.withoutWorker()) {
            fixture.requests.reachable.nextFailures(6, new IllegalStateException("Redis is unavailable"));
            OrderWorkflow order = fixture.begin(Samples.market(Duration.ofMinutes(10)));
            fixture.server.skipBeside(1, Duration.ofSeconds(40));
            assertThat(order.state().status()).isEqualTo(OrderStatus.PENDING);
            assertThat(fixture.requests.asked)
                    .as("two rounds of three tries, and more")
                    .hasSizeGreaterThan(7);
        }
    }

    @Test
    @Tag("E3")
    @DisplayName("An order that a fenced worker declined is tried again with the time that is left")
    void declinedByAFencedWorker() {
        OrderRequest request = Samples.market(MINUTE);
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.orders.answers.next(new Declined(Cause.FENCED));
            fixture.orders.answers.next(new Declined(Cause.NOT_SENT));
            OrderState end = fixture.run(request);
            assertThat(end.status()).isEqualTo(OrderStatus.FILLED);
            assertThat(end.attempts()).isEqualTo(3);
            assertThat(fixture.orders.calls).extracting(SubmitOrder::attempt).containsExactly(1, 2, 3);
            List<Long> left = fixture.server.history(OrderFixture.id(request)).stream()
                    .filter(event -> event.getEventType() == EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED)
                    .map(event ->
                            event.getActivityTaskScheduledEventAttributes().getScheduleToStartTimeout())
                    .map(time -> time.getSeconds() * 1_000 + time.getNanos() / 1_000_000)
                    .toList();
            assertThat(left.get(0) - left.get(1)).isGreaterThanOrEqualTo(250);
            assertThat(left.get(1) - left.get(2)).isGreaterThanOrEqualTo(250);
        }
    }

    @Test
    @Tag("X13")
    @DisplayName("An order that did not reach its worker, or could not be read for it, was not sent and is tried again")
    void undeliveredOrderIsTriedAgain() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.orders.answers.nextFailure(FailureType.UNDELIVERED.failure("unreadable"));
            OrderState end = fixture.run(Samples.market(MINUTE));
            assertThat(end.status()).isEqualTo(OrderStatus.FILLED);
            assertThat(end.attempts()).isEqualTo(2);
        }
    }

    @Test
    @Tag("E3")
    @DisplayName("A worker that finds the deadline passed ends the order")
    void declinedAfterTheDeadline() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.orders.answers.next(new Declined(Cause.DEADLINE_PASSED));
            OrderState end = fixture.run(Samples.market(MINUTE));
            assertThat(end.status()).isEqualTo(OrderStatus.FAILED);
            assertThat(end.reason()).asString().startsWith("capacity: not-taken: ");
            assertThat(fixture.orders.calls).hasSize(1);
        }
    }

    @Test
    @Tag("E3")
    @DisplayName("An order whose deadline has passed before it could be handed on is not sent")
    void lateFromTheBeginning() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderState end = fixture.run(Samples.marketSubmittedAt(InMemoryServer.OPEN.minusSeconds(61), MINUTE));
            assertThat(end.status()).isEqualTo(OrderStatus.FAILED);
            assertThat(fixture.orders.calls).isEmpty();
        }
    }

    @Test
    @Tag("X9")
    @DisplayName("An order that the kill switch or a limit stops at the gate fails with the reason, "
            + "and waits for a person")
    void stoppedAtTheGate() {
        Reason stopped = FailureCode.KILL_SWITCH.because("All trading is stopped: test.");
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.orders.answers.next(new Declined(Cause.RISK, stopped));
            OrderWorkflow order = fixture.prepare(Samples.market(Duration.ofMinutes(1)));
            WorkflowClient.start(order::run, OrderState.accepted(Samples.market(Duration.ofMinutes(1))));
            OrderState end = fixture.end(order);
            assertThat(end.status()).isEqualTo(OrderStatus.FAILED);
            assertThat(end.reason()).isEqualTo(stopped);
            assertThat(fixture.orders.calls).hasSize(1);
            assertThat(InMemoryServer.attention(order)).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(Cause.class)
    @Tag("D6")
    @DisplayName("What a worker declined is tried again, or is final, as its cause says")
    void causeDecidesWhetherDeclineIsFinal(Cause cause) {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.orders.answers.next(new Declined(cause, FailureCode.RISK_LIMIT.because("Too much.")));
            OrderState end = fixture.run(Samples.market(Duration.ofMinutes(1)));
            assertThat(fixture.orders.calls).hasSize(cause.isRetried() ? 2 : 1);
            assertThat(end.status() == OrderStatus.FILLED).isEqualTo(cause.isRetried());
        }
    }

    @Test
    @Tag("X10")
    @DisplayName("An order that was held for want of a price until its deadline says which")
    void unpricedUntilTheDeadline() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            Reason unpriced = FailureCode.NO_QUOTE.because("The price of AAPL is not known now.");
            fixture.orders.answers.usual(() -> new Declined(Cause.HELD, unpriced));
            OrderState end = fixture.run(Samples.market(MINUTE));
            assertThat(end.status()).isEqualTo(OrderStatus.FAILED);
            assertThat(end.reason()).asString().startsWith("risk: no-quote: The price of AAPL is not known now.");
            assertThat(FailureCode.isRequeueable(end.reason())).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "NOT_SENT, broker: broker-unavailable: ",
        "NO_SESSION, broker: no-session: ",
        "HELD, capacity: not-sent: ",
        "FENCED, capacity: not-taken: "
    })
    @Tag("E12")
    @DisplayName("An order that workers declined until its deadline says what kept them")
    void declinedUntilTheDeadline(Cause cause, String reason) {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.orders.answers.usual(() -> new Declined(cause));
            OrderState end = fixture.run(Samples.market(MINUTE));
            assertThat(end.status()).isEqualTo(OrderStatus.FAILED);
            assertThat(end.reason()).asString().startsWith(reason);
            assertThat(FailureCode.isRequeueable(end.reason())).isTrue();
        }
    }
}
