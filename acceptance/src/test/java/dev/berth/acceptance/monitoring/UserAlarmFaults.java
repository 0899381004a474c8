package dev.berth.acceptance.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.AccountsClient;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.security.HostileCalls;
import dev.berth.acceptance.security.HostileTask;
import dev.berth.acceptance.stack.ApiReplica;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Processes;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.TemporalCli;
import dev.berth.acceptance.stack.Venue;
import dev.berth.acceptance.webhook.WebhookReceiver;
import dev.berth.workflows.UserId;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Faults of single users, their orders and their workers. */
record UserAlarmFaults(Stack stack) {
    private static final Logger LOG = LoggerFactory.getLogger(UserAlarmFaults.class);
    /** Longer than the drill. */
    static final Duration WITHIN = Duration.ofHours(1);

    private static final List<String> KEYS = List.of("PK1", "PK2", "PK3", "PK4", "PK5", "PK6");
    private static final int DEATHS = 6;
    private static final Duration TIMEOUT = Duration.ofSeconds(90);

    AlarmFault hostileCall() {
        return AlarmFault.brief(
                "a hostile call to the gateway", List.of("BerthGatewayRefusals"), this::callWithoutCertificate);
    }

    private void callWithoutCertificate() throws Exception {
        long pid = Eventually.trading(stack, "drill-victim").worker().pid();
        try (HostileTask thief = HostileTask.unknown(Processes.environment(pid))) {
            HostileCalls calls =
                    new HostileCalls(thief.withoutCertificate(), new UserId("drill-victim"), "order:drill-victim:warm");
            calls.all().getFirst().call().run();
            throw new AssertionError("the gateway served a task that had not enrolled");
        } catch (StatusRuntimeException refused) {
            // As it must be.
        }
    }

    /** Five users whose keys the venue revokes, and one with another secret than the key's. */
    AlarmFault refusedCredentials() {
        List<AccountsClient> users = new ArrayList<>();
        return new AlarmFault(
                "five keys revoked, a sixth user's secret wrong",
                List.of("BerthSessionsFailing", "BerthOrdersFailing", "BerthOrdersNeedAttention"),
                () -> {
                    AccountsClient owner = new AccountsClient(stack, stack.trader("drill-owner"));
                    owner.put("mine", KEYS.getLast(), "right");
                    assertThat(owner.buy("mine", "owned").text("status")).isEqualTo("FILLED");
                    String revoked = String.join("\",\"", KEYS.subList(0, KEYS.size() - 1));
                    Venue.of(stack).faults("{\"revoked\":[\"" + revoked + "\"]}");
                    for (String key : KEYS) {
                        AccountsClient user =
                                new AccountsClient(stack, stack.trader("drill-" + key.toLowerCase(Locale.ROOT)));
                        users.add(user);
                        user.put("mine", key, key.equals(KEYS.getLast()) ? "wrong" : "right");
                        user.trader().submit(refused(key));
                        Eventually.order(user.trader(), "refused-" + key, "FAILED", TIMEOUT);
                    }
                },
                () -> {
                    Venue.of(stack).reset();
                    for (AccountsClient user : users) {
                        user.put("mine", KEYS.get(users.indexOf(user)), "right");
                        await().atMost(TIMEOUT).until(() -> buy(user), "FILLED"::equals);
                    }
                    stack.berth("requeue", "--all", "--reason", "the credentials are right now");
                });
    }

    private static String refused(String key) {
        return OrderBody.market("refused-" + key, "AAPL", "buy", "1")
                .within(WITHIN)
                .json()
                .replace("\"paper\"}", "\"mine\"}");
    }

    private static String buy(AccountsClient user) throws Exception {
        return user.buy("mine", "after-" + System.nanoTime()).text("status");
    }

    AlarmFault webhookDown() throws IOException {
        int port = ApiReplica.freePort();
        Trader trader = stack.trader("drill-hooked");
        return new AlarmFault(
                "a webhook's receiver is down",
                List.of("BerthWebhooksUndelivered"),
                () -> {
                    String hook = "{\"url\":\"http://127.0.0.1:%s/\",\"events\":[\"order.final\"]}".formatted(port);
                    stack.api().call("PUT", "/v1/webhooks/ops", hook, "Authorization", trader.bearer());
                    trader.post("/v1/webhooks/ops:test");
                },
                () -> {
                    try (WebhookReceiver receiver = WebhookReceiver.start(port)) {
                        trader.post("/v1/webhooks/ops:redeliver");
                        await().atMost(TIMEOUT)
                                .until(() -> trader.get("/v1/webhooks/ops/messages")
                                        .list("messages", Object.class)
                                        .isEmpty());
                        assertThat(receiver.calls()).hasSize(1);
                    }
                });
    }

    /** Submissions leave the last tenth of an account's requests to cancels. */
    AlarmFault busyAccount() throws IOException {
        Trader trader = stack.trader("drill-busy");
        AtomicInteger orders = new AtomicInteger();
        ScheduledExecutorService trading =
                Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().factory());
        return new AlarmFault(
                "a user sends as many orders as its broker allows",
                List.of("BerthBrokerLimitNear"),
                () -> {
                    var _ = trading.scheduleWithFixedDelay(
                            () -> {
                                try {
                                    trader.submit(
                                            OrderBody.market("busy-" + orders.getAndIncrement(), "AAPL", "buy", "1")
                                                    .json());
                                } catch (Exception failed) {
                                    LOG.warn("an order was not accepted", failed);
                                }
                            },
                            0,
                            100,
                            TimeUnit.MILLISECONDS);
                },
                trading::close);
    }

    AlarmFault terminatedOrder() {
        return AlarmFault.brief("an open order's workflow is terminated", List.of("BerthDriftFound"), this::terminate);
    }

    private void terminate() throws Exception {
        Trader trader = stack.trader("drill-drift");
        trader.submit(OrderBody.limit("rests", "MSFT", "buy", "1", "50"), 60);
        await().atMost(TIMEOUT).until(() -> trader.statuses("rests").contains("NEW"));
        new TemporalCli(stack).workflow("terminate", "--workflow-id", "order:drill-drift:rests", "--reason", "a drill");
    }

    AlarmFault crashLoop() {
        return AlarmFault.brief("a worker dies six times", List.of("BerthWorkersNeedAttention"), this::killOften);
    }

    private void killOften() throws Exception {
        Trader trader = Eventually.trading(stack, "drill-crash");
        for (int death = 1; death <= DEATHS; death++) {
            Worker worker = Eventually.worker(trader, "ACTIVE", TIMEOUT);
            Processes.signal(worker.pid(), "KILL");
            int died = death;
            await().atMost(TIMEOUT).until(() -> trader.worker().deaths() >= died);
        }
    }

    AlarmFault workflowStartedByHand() {
        return new AlarmFault(
                "an order's workflow is started by hand",
                List.of("BerthWorkflowsFailing"),
                () -> new TemporalCli(stack)
                        .workflow(
                                "start",
                                "--type",
                                "Order",
                                "--workflow-id",
                                "order:drill-hand:typed",
                                "--task-queue",
                                "orders"),
                () -> new TemporalCli(stack)
                        .workflow("terminate", "--workflow-id", "order:drill-hand:typed", "--reason", "a drill"));
    }

    /** All that admission allows, and one more. They wait until a host has room. */
    AlarmFault waitingOrders() {
        return new AlarmFault(
                "orders of users for whom no host has room",
                List.of("BerthOrderUnanswered", "BerthAdmissionNearlyFull", "BerthOrdersRefused"),
                () -> {
                    int status = 0;
                    for (int number = 0; status != 429; number++) {
                        assertThat(number).as("admitted orders").isLessThan(20);
                        status = stack.trader("drill-waits-" + number % 5)
                                .submit(OrderBody.market("waits-" + number, "AAPL", "buy", "1")
                                        .within(WITHIN)
                                        .json())
                                .status();
                    }
                    await().atMost(TIMEOUT)
                            .until(() ->
                                    stack.berth("explain", "drill-waits-0").contains("as soon as a host has room"));
                },
                () -> {});
    }
}
