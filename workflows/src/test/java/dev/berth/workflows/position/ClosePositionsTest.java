package dev.berth.workflows.position;

import static dev.berth.workflows.Samples.ALICE;
import static dev.berth.workflows.Samples.PAPER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.FailureType;
import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.Side;
import dev.berth.workflows.order.TimeInForce;
import dev.berth.workflows.worker.AvailableWorkers;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowFailedException;
import java.math.BigDecimal;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Closes of positions, in the workflow. */
@Tag("T3")
class ClosePositionsTest {
    private final InMemoryServer server = new InMemoryServer();
    private final ModelAccount account = new ModelAccount();
    private final ModelOrders orders = new ModelOrders(account);
    private final AvailableWorkers workers = new AvailableWorkers();

    @BeforeEach
    void start() {
        io.temporal.worker.Worker worker = server.worker(TaskQueues.ORDERS);
        worker.registerWorkflowImplementationTypes(ClosePositionsWorkflowImpl.class, ExclusiveCloseWorkflowImpl.class);
        worker.registerActivitiesImplementations(orders, workers);
        server.worker(TaskQueues.controlOf(ALICE)).registerActivitiesImplementations(account);
        server.start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static CloseRequest request(String key, @Nullable String symbol) {
        return new CloseRequest(ALICE, PAPER, symbol, key, false, null);
    }

    private List<PositionClose> close(String key) {
        return close(request(key, null));
    }

    private List<PositionClose> close(CloseRequest request) {
        return workflow(request).run(request).items();
    }

    private ClosePositionsWorkflow workflow(CloseRequest request) {
        return server.client().newWorkflowStub(ClosePositionsWorkflow.class, PositionPolicies.start(request));
    }

    private void replay(String key) {
        server.replay(WorkflowIds.closePositions(ALICE, PAPER, key), ClosePositionsWorkflowImpl.class);
        server.replay(WorkflowIds.exclusiveClose(ALICE, PAPER), ExclusiveCloseWorkflowImpl.class);
    }

    private void assertFlat(String... symbols) {
        assertThat(symbols)
                .allSatisfy(symbol -> assertThat(account.position(symbol)).isEqualByComparingTo(BigDecimal.ZERO));
        assertThat(account.crossed).isEmpty();
    }

    @DisplayName("Long, short and crypto positions are closed at market, each after its exits were canceled")
    @Test
    void closesEachPosition() {
        account.hold("AAPL", "10");
        account.hold("MSFT", "-3");
        account.hold("BTC/USD", "0.25");
        account.order("stop", "AAPL", "sell", "stop", "10");
        account.order("add", "AAPL", "buy", "limit", "5");
        account.order("cover", "MSFT", "buy", "limit", "3");

        List<PositionClose> items = close("k-1");
        assertThat(items)
                .extracting(PositionClose::symbol, item -> String.valueOf(item.quantity()), PositionClose::reason)
                .containsExactly(tuple("AAPL", "10", null), tuple("MSFT", "-3", null), tuple("BTC/USD", "0.25", null));
        assertThat(orders.submitted)
                .extracting(
                        ClosingOrder::symbol,
                        ClosingOrder::side,
                        order -> order.quantity().toString(),
                        ClosingOrder::timeInForce)
                .containsExactlyInAnyOrder(
                        tuple("AAPL", Side.SELL, "10", TimeInForce.DAY),
                        tuple("MSFT", Side.BUY, "3", TimeInForce.DAY),
                        tuple("BTC/USD", Side.SELL, "0.25", TimeInForce.GTC));
        assertThat(orders.submitted)
                .extracting(ClosingOrder::clientOrderId)
                .containsExactlyInAnyOrderElementsOf(
                        items.stream().map(PositionClose::order).toList())
                .allSatisfy(id -> assertThat(id.value()).matches("close-[0-9a-f]{24}"));
        assertThat(account.calls.subList(0, 4)).containsExactly("read", "cancel stop", "cancel cover", "read");
        assertFlat("AAPL", "MSFT", "BTC/USD");
        replay("k-1");
    }

    @DisplayName("What an exit fills while it is being canceled is not sold again")
    @Test
    void partialFillMeanwhile() {
        account.hold("AAPL", "10");
        account.order("stop", "AAPL", "sell", "stop_limit", "10");
        account.filledAtCancel.put("stop", "4");
        close("k-1");
        assertThat(account.calls).endsWith("sell 6 AAPL");
        assertFlat("AAPL");
    }

    @DisplayName("A position that its exit closed meanwhile needs no order")
    @Test
    void exitClosesPosition() {
        account.hold("AAPL", "10");
        account.order("stop", "AAPL", "sell", "stop", "10");
        account.filledAtCancel.put("stop", "10");
        assertThat(close("k-1")).extracting(PositionClose::reason).containsExactly("It was closed meanwhile.");
        assertThat(orders.submitted).isEmpty();
        assertFlat("AAPL");
    }

    @DisplayName("Closes in flight are subtracted: those at the venue, and those that it has not answered, once each")
    @Test
    void closesInFlightCount() {
        account.hold("AAPL", "10");
        account.order("at-venue", "AAPL", "sell", "market", "3");
        account.order("in-both", "AAPL", "sell", "market", "1");
        orders.unanswered.add(unanswered("in-both", "AAPL", Side.SELL, "1"));
        orders.unanswered.add(unanswered("on-its-way", "AAPL", Side.SELL, "2"));
        orders.unanswered.add(unanswered("adds", "AAPL", Side.BUY, "7"));
        orders.unanswered.add(unanswered("elsewhere", "MSFT", Side.SELL, "7"));
        assertThat(close("k-1")).extracting(PositionClose::reason).containsExactly("Orders in flight close 6 of it.");
        assertThat(account.calls).endsWith("sell 4 AAPL");
    }

    private static UnansweredOrder unanswered(String id, String symbol, Side side, String quantity) {
        return new UnansweredOrder(new ClientOrderId(id), symbol, side, Decimal.of(quantity));
    }

    @DisplayName("Where orders in flight close all of a position, or more, nothing is sent")
    @Test
    void neverCrossesZero() {
        account.hold("AAPL", "10");
        account.order("more", "AAPL", "sell", "market", "12");
        assertThat(close("k-1"))
                .extracting(PositionClose::order, PositionClose::reason)
                .containsExactly(tuple(null, "Orders in flight close it already."));
        assertThat(orders.submitted).isEmpty();
    }

    @DisplayName("Two keys at once close once: one runs after the other, which sees what that has in flight")
    @Test
    void twoKeysAtOnce() {
        account.hold("AAPL", "10");
        account.hold("MSFT", "-2");
        account.order("stop", "AAPL", "sell", "stop", "10");
        account.holdsMarketOrders = true;
        List<CompletableFuture<CloseReport>> both = IntStream.range(0, 2)
                .mapToObj(number -> request("k-" + number, null))
                .map(request -> WorkflowClient.execute(workflow(request)::run, request))
                .toList();
        List<CloseReport> reports = both.stream().map(CompletableFuture::join).toList();
        assertThat(reports)
                .anySatisfy(report -> assertThat(report.items())
                        .extracting(PositionClose::reason)
                        .containsOnly("Orders in flight close it already."));
        assertThat(orders.submitted)
                .extracting(ClosingOrder::symbol, order -> order.quantity().toString())
                .containsExactlyInAnyOrder(tuple("AAPL", "10"), tuple("MSFT", "2"));
        account.fillAll();
        assertFlat("AAPL", "MSFT");
    }

    @DisplayName("A refused order keeps the exits of its position; the others are closed")
    @Test
    void refusedOrderKeepsExits() {
        RefusedClose refusal = new RefusedClose("risk-limit", "Too much.");
        orders.refusals.put("AAPL", refusal);
        account.hold("AAPL", "10");
        account.hold("MSFT", "1");
        account.order("stop", "AAPL", "sell", "stop", "10");
        account.order("stop-too", "MSFT", "sell", "stop", "1");
        assertThat(close("k-1"))
                .extracting(PositionClose::symbol, PositionClose::refusal)
                .containsExactly(tuple("AAPL", refusal), tuple("MSFT", null));
        assertThat(account.calls).contains("cancel stop-too").doesNotContain("cancel stop");
        assertFlat("MSFT");
    }

    @DisplayName("An order that may be admitted later is submitted again; a lost answer makes no second order")
    @Test
    void submissionIsRepeated() {
        account.hold("AAPL", "10");
        orders.busy = 3;
        orders.lostAnswers = 1;
        assertThat(close("k-1")).extracting(PositionClose::refusal).containsOnlyNulls();
        assertThat(orders.submitted).hasSize(1);
        assertFlat("AAPL");
    }

    @DisplayName("An order that is never admitted ends as its last problem")
    @Test
    void lastProblemStays() {
        account.hold("AAPL", "10");
        orders.busy = Integer.MAX_VALUE;
        assertThat(close("k-1"))
                .extracting(PositionClose::refusal)
                .containsExactly(new RefusedClose("order-rate", "Too fast."));
    }

    @DisplayName("A used key has its result, and starts nothing")
    @Test
    void repeatedKey() {
        account.hold("AAPL", "10");
        CloseRequest request = request("k-1", null);
        List<PositionClose> items = close(request);
        account.hold("AAPL", "10");
        // The SDK waits for the result of the run that exists.
        assertThat(close(request)).isEqualTo(items);
        assertThat(orders.submitted).hasSize(1);
    }

    @DisplayName("A symbol limits the close; without a position of it, the answer says so")
    @Test
    void onlyOneSymbol() {
        account.hold("AAPL", "10");
        account.hold("MSFT", "1");
        account.order("stop-too", "MSFT", "sell", "stop", "1");
        close(request("k-1", "AAPL"));
        assertThat(account.calls).doesNotContain("cancel stop-too");
        assertFlat("AAPL");
        assertThat(account.position("MSFT")).isEqualByComparingTo("1");
        assertThat(close(request("k-2", "TSLA")))
                .extracting(PositionClose::symbol, PositionClose::reason)
                .containsExactly(tuple("TSLA", "The account has no such position."));
    }

    @DisplayName("An exit that cannot be canceled keeps its position open, and is named")
    @Test
    void stubbornExit() {
        account.hold("AAPL", "10");
        account.order("stop", "AAPL", "sell", "stop", "10");
        account.stubborn.add("stop");
        assertThat(close("k-1"))
                .extracting(PositionClose::reason)
                .containsExactly("Exits hold it and were not canceled in time: stop. Close again under another key.");
        assertThat(orders.submitted).isEmpty();
    }

    @DisplayName("A worker that is not ready, or has no budget, is asked again; what it cannot do fails the close")
    @Test
    void waitsForWorker() {
        account.hold("AAPL", "10");
        account.failures = 2;
        account.how = FailureType.REQUEST_BUDGET;
        close("k-1");
        assertFlat("AAPL");
        account.failures = 1;
        account.how = FailureType.NOT_SUPPORTED;
        WorkflowFailedException failed = catchThrowableOfType(WorkflowFailedException.class, () -> close("k-2"));
        assertThat(failed).rootCause().matches(FailureType.NOT_SUPPORTED::isOf, "not-supported");
        assertThat(close("k-2"))
                .as("a key whose close failed may be used again")
                .isEmpty();
    }

    @DisplayName("An account that no worker may serve fails the close with the reason")
    @Test
    void notServed() {
        workers.refusal = FailureCode.CREDENTIALS_REFUSED.because("The broker refuses them.");
        WorkflowFailedException failed = catchThrowableOfType(WorkflowFailedException.class, () -> close("k-1"));
        assertThat(failed)
                .rootCause()
                .matches(FailureType.ACCOUNT_NOT_SERVED::isOf, "not served")
                .hasMessageContaining("The broker refuses them.");
    }
}
