package dev.berth.acceptance.remote;

import static dev.berth.acceptance.rest.JsonRecords.required;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.acceptance.remote.RemoteMachine.Frame;
import dev.berth.acceptance.rest.AccountsClient;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.Tokens;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.ApiReplica;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.FinishedCommand;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.VenueLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Orders whose broker is on the customer's own machine. */
@ExtendWith(StackExtension.class)
class RemoteAgentTest {
    private static final String ACCOUNT = "remote/equity/paper/home";
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int FORBIDDEN = 4403;
    private static final int OTHER_MACHINE = 4409;

    private final Stack stack;

    RemoteAgentTest(Stack stack) {
        this.stack = stack;
    }

    /** A user with a remote account. */
    private Trader customer(String user) throws IOException, InterruptedException {
        Trader trader = stack.trader(user);
        JsonResponse stored = new AccountsClient(stack, trader).put("/v1/accounts/" + ACCOUNT, "{}");
        assertThat(stored.status()).as("%s", stored.body()).isEqualTo(200);
        return trader;
    }

    /** Without waiting: what becomes of the order is asked for, or depends on the test. */
    private static void submit(Trader trader, OrderBody order) throws IOException, InterruptedException {
        JsonResponse accepted = trader.submit(remote(order));
        assertThat(accepted.status()).as("%s", accepted.body()).isIn(201, 202);
    }

    private static String remote(OrderBody order) {
        return order.json().replace(Trader.ACCOUNT, """
                        {"broker":"remote","market":"equity","environment":"paper","accountId":"home"}""");
    }

    private RemoteMachine machine(String user) throws IOException {
        return new RemoteMachine(stack.api(), new Tokens(stack).sign(user, "remote"));
    }

    private List<VenueLog.Arrival> arrivals(String order) throws IOException, InterruptedException {
        return VenueLog.of(stack).arrivals().stream()
                .filter(arrival -> order.equals(arrival.clientOrderId()))
                .toList();
    }

    @Test
    @Tag("C6")
    @Tag("A7")
    @DisplayName("Without its machine an order waits until its deadline; with it, it is executed there and filled")
    void orderIsExecutedByTheMachine(@TempDir Path folder) throws Exception {
        Trader trader = customer("remote-order");
        // A running worker lets the order have a short deadline.
        Eventually.filled(trader, "warm");
        submit(trader, OrderBody.market("remote-early", "AAPL", "buy", "1").within(Duration.ofSeconds(8)));
        PlacedOrder early = Eventually.order(trader, "remote-early", "FAILED", TIMEOUT);
        assertThat(early.reason()).startsWith("broker: remote-unavailable: ");
        assertThat(arrivals("remote-early")).isEmpty();
        try (PythonMachine _ = PythonMachine.start(stack, folder, trader.user(), ACCOUNT, stack.api())) {
            submit(trader, OrderBody.market("remote-first", "AAPL", "buy", "1"));
            Eventually.order(trader, "remote-first", "FILLED", TIMEOUT);
            Eventually.fills(trader, "remote-first", "1");
            Eventually.filled(trader, "beside-it-at-alpaca");
            submit(trader, OrderBody.limit("remote-rests", "AAPL", "buy", "1", "1"));
            Eventually.order(trader, "remote-rests", "NEW", TIMEOUT);
            assertThat(trader.replace("remote-rests", "{\"quantity\":\"2\"}").status())
                    .isIn(200, 202);
            await().atMost(TIMEOUT).until(() -> trader.order("remote-rests").quantity(), "2"::equals);
            Eventually.canceled(trader, "remote-rests", TIMEOUT);
            assertThat(new AccountsClient(stack, trader).keysAtTheVenue("remote-first"))
                    .containsExactly("remote-order-home");
        }
    }

    @Test
    @Tag("long")
    @Tag("X20")
    @DisplayName("A replica and a machine that are killed cost no order, and none is executed twice")
    void killedReplicaCostsNothing(@TempDir Path folder) throws Exception {
        Trader trader = customer("remote-killed");
        try (ApiReplica second = ApiReplica.start(stack, Map.of());
                PythonMachine _ =
                        PythonMachine.start(stack, folder, trader.user(), ACCOUNT, second.api(), stack.api())) {
            submit(trader, OrderBody.market("remote-before", "AAPL", "buy", "1"));
            Eventually.order(trader, "remote-before", "FILLED", TIMEOUT);
            second.process().destroyForcibly().waitFor();
            submit(trader, OrderBody.market("remote-after", "AAPL", "buy", "1"));
            Eventually.order(trader, "remote-after", "FILLED", TIMEOUT);
        }
        try (PythonMachine _ = PythonMachine.start(stack, folder, trader.user(), ACCOUNT, stack.api())) {
            submit(trader, OrderBody.market("remote-again", "AAPL", "buy", "1"));
            Eventually.order(trader, "remote-again", "FILLED", TIMEOUT);
        }
        for (String order : List.of("remote-before", "remote-after", "remote-again")) {
            assertThat(arrivals(order)).as(order).hasSize(1);
        }
    }

    @Test
    @Tag("X20")
    @DisplayName("A call that was lost after the write is unknown, and the look-up tells; it is not written again")
    void lostCallIsLookedUp() throws Exception {
        Trader trader = customer("remote-lost");
        Eventually.filled(trader, "warm");
        try (RemoteMachine lost = machine(trader.user())) {
            lost.send(RemoteMachine.hello("m-1", ACCOUNT)).next("registered");
            submit(trader, OrderBody.market("remote-lost", "AAPL", "buy", "1"));
            Frame call = lost.next("call");
            assertThat(call.method()).isEqualTo("send");
            assertThat(call.epoch()).isEqualTo(trader.worker().epoch());
        }
        try (RemoteMachine back = machine(trader.user())) {
            back.send(RemoteMachine.hello("m-1", ACCOUNT)).next("registered");
            Frame look = back.next("call");
            assertThat(look.method()).isEqualTo("find");
            ObjectNode found = RemoteMachine.golden("answer-report").put("callId", required(look.callId(), "callId"));
            ((ObjectNode) found.required("report"))
                    .put("clientOrderId", "remote-lost")
                    .put("status", "CANCELED");
            back.send(found);
            Eventually.order(trader, "remote-lost", "CANCELED", TIMEOUT);
        }
    }

    @Test
    @Tag("X20")
    @DisplayName("A replayed answer, and a report of another account's order, change nothing")
    void foreignFramesChangeNothing() throws Exception {
        Trader trader = customer("remote-frames");
        Eventually.filled(trader, "at-alpaca");
        try (RemoteMachine machine = machine(trader.user())) {
            machine.send(RemoteMachine.hello("m-1", ACCOUNT)).next("registered");
            machine.send(RemoteMachine.golden("answer-report"));
            ObjectNode report = RemoteMachine.golden("report").put("account", ACCOUNT);
            ((ObjectNode) report.required("report")).put("clientOrderId", "at-alpaca");
            assertThat(machine.send(report).next("refused").detail()).contains("no such order");
            report.put("account", "remote/equity/paper/other");
            machine.send(report).next("refused");
            machine.send(RemoteMachine.golden("ping"));
            assertThat(machine.next("pong").id()).isEqualTo(5);
        }
        Eventually.fills(trader, "at-alpaca", "1");
    }

    @Test
    @Tag("X20")
    @DisplayName("Another machine is refused until it names the connection that it takes over")
    void secondMachineIsRefused() throws Exception {
        Trader trader = customer("remote-machines");
        try (RemoteMachine first = machine(trader.user());
                RemoteMachine refused = machine(trader.user());
                RemoteMachine second = machine(trader.user())) {
            long epoch = required(
                    first.send(RemoteMachine.hello("m-1", ACCOUNT))
                            .next("registered")
                            .connectionEpoch(),
                    "connectionEpoch");
            assertThat(refused.send(RemoteMachine.hello("m-2", ACCOUNT)).closeCode())
                    .isEqualTo(OTHER_MACHINE);
            Frame taken = second.send(RemoteMachine.hello("m-2", ACCOUNT).put("takeOver", epoch))
                    .next("registered");
            assertThat(taken.connectionEpoch()).isGreaterThan(epoch);
            assertThat(first.next("goaway").reason()).isEqualTo("takenOver");
            submit(trader, OrderBody.market("remote-taken", "AAPL", "buy", "1"));
            assertThat(second.next("call").orderId()).isEqualTo("remote-taken");
        }
    }

    @Test
    @Tag("X20")
    @DisplayName("A machine serves remote accounts of its own user alone, with frames of the protocol's form")
    void machineServesItsOwnAccountsAlone() throws Exception {
        Trader trader = customer("remote-own");
        String other = stack.trader("remote-another").user();
        assertThat(closeCode(other, RemoteMachine.hello("m", ACCOUNT).toString()))
                .isEqualTo(FORBIDDEN);
        assertThat(closeCode(
                        trader.user(),
                        RemoteMachine.hello("m", "alpaca/equity/paper/paper").toString()))
                .isEqualTo(FORBIDDEN);
        assertThat(closeCode(trader.user(), "{\"type\":\"answer\"}")).isEqualTo(1008);
        assertThat(closeCode(trader.user(), "x".repeat(128 * 1024 + 1))).isEqualTo(1009);
        assertThatThrownBy(() -> new RemoteMachine(stack.api(), trader.token()))
                .as("a token without the scope")
                .hasRootCauseMessage("Unexpected HTTP response status code 403");
    }

    private int closeCode(String user, String frame) throws IOException {
        try (RemoteMachine machine = machine(user)) {
            return machine.send(frame).closeCode();
        }
    }

    @Test
    @Tag("long")
    @Tag("X20")
    @DisplayName("A replica that ends sends its machines away before it closes their connections")
    void endingReplicaSendsMachinesAway() throws Exception {
        Trader trader = customer("remote-goaway");
        Eventually.filled(trader, "warm");
        try (ApiReplica second = ApiReplica.start(stack, Map.of());
                RemoteMachine machine =
                        new RemoteMachine(second.api(), new Tokens(stack).sign(trader.user(), "remote"))) {
            machine.send(RemoteMachine.hello("m-1", ACCOUNT)).next("registered");
            second.process().destroy();
            assertThat(machine.next("goaway").reason()).isEqualTo("shutdown");
            try (RemoteMachine anew = machine(trader.user())) {
                anew.send(RemoteMachine.hello("m-1", ACCOUNT)).next("registered");
                submit(trader, OrderBody.market("remote-moved", "AAPL", "buy", "1"));
                assertThat(anew.next("call").orderId()).isEqualTo("remote-moved");
            }
            assertThat(machine.closeCode()).isEqualTo(1001);
            await().atMost(Duration.ofSeconds(60)).until(() -> !second.process().isAlive());
        }
    }

    @Test
    @Tag("X20")
    @DisplayName("The Python SDK keeps its journal, its gate and its connections")
    void pythonSdkPassesItsTests() throws Exception {
        FinishedCommand ended =
                FinishedCommand.run(PythonMachine.program(PythonMachine.environment(stack), "-m", "unittest"));
        assertThat(ended.status()).as(ended.out()).isZero();
    }
}
