package dev.berth.acceptance.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.RestClient;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.security.HostileCalls.Attempt;
import dev.berth.acceptance.stack.BerthCommand;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Processes;
import dev.berth.acceptance.stack.PrometheusMetrics;
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import dev.berth.temporal.gateway.GatewayMessages.AttachedRequest;
import dev.berth.temporal.gateway.GatewayMessages.HeartbeatRequest;
import dev.berth.temporal.gateway.GatewayMessages.PublishRequest;
import dev.berth.temporal.gateway.GatewayMessages.ReportedActivity;
import dev.berth.temporal.gateway.GatewayMessages.WarmUpRequest;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.Environment;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderType;
import dev.berth.workflows.order.Side;
import dev.berth.workflows.order.TimeInForce;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A user who trades while hostile processes try to harm them.
 *
 * @param trader with an order that rests at the venue
 * @param worker as the API showed it before the attempts
 */
record HostileVictim(Stack stack, Trader trader, Worker worker) {
    private static final List<Status.Code> REFUSED =
            List.of(Status.Code.PERMISSION_DENIED, Status.Code.UNAUTHENTICATED, Status.Code.NOT_FOUND);

    static HostileVictim start(Stack stack, String user) throws Exception {
        Trader trader = Eventually.trading(stack, user);
        trader.submit(OrderBody.limit("rests", "AAPL", "buy", "1", "50"), 60);
        return new HostileVictim(stack, trader, Eventually.activeWorker(trader, 1, Duration.ofSeconds(60)));
    }

    UserId userId() {
        return new UserId(trader.user());
    }

    String taskArn() {
        return worker.taskArn();
    }

    Map<String, String> environment() {
        return Processes.environment(worker.pid());
    }

    /** Temporal's calls against this user. */
    List<Attempt> temporalCalls(Channel channel) {
        return new HostileCalls(channel, userId(), "order:" + trader.user() + ":rests").all();
    }

    static HeartbeatRequest heartbeat() {
        return new HeartbeatRequest(new ReportedActivity("", "", "", "", 0), "hostile", 1, "", "");
    }

    static AttachedRequest attached() {
        return new AttachedRequest("hostile", 1);
    }

    static WarmUpRequest warmUp() {
        return new WarmUpRequest("attach", List.of());
    }

    PublishRequest publish() {
        return new PublishRequest(OrderState.accepted(new OrderRequest(
                userId(),
                new ClientOrderId("rests"),
                new AccountKey("alpaca", "equity", Environment.PAPER, "paper"),
                "AAPL",
                Side.BUY,
                OrderType.MARKET,
                Decimal.of("1"),
                null,
                null,
                TimeInForce.DAY,
                3,
                Duration.ofMinutes(2),
                Instant.now())));
    }

    static <Q, A> Attempt own(String what, Channel channel, MethodDescriptor<Q, A> method, Q request) {
        return new Attempt(
                what,
                () -> ClientCalls.blockingUnaryCall(
                        channel, method, CallOptions.DEFAULT.withDeadlineAfter(10, TimeUnit.SECONDS), request));
    }

    /** Each is refused with a clear status, and counted. */
    void assertRefused(List<Attempt> attempts) throws Exception {
        double before = refused();
        for (Attempt attempt : attempts) {
            StatusRuntimeException refused = catchThrowableOfType(
                    StatusRuntimeException.class, () -> attempt.call().run());
            assertThat(refused).as(attempt.what()).isNotNull();
            assertThat(REFUSED)
                    .as("%s: %s", attempt.what(), refused.getMessage())
                    .contains(refused.getStatus().getCode());
        }
        assertThat(refused() - before).as("counted").isGreaterThanOrEqualTo(attempts.size());
    }

    private double refused() throws Exception {
        RestClient gateway = new RestClient(URI.create("http://127.0.0.1:" + stack.port("METRICS", 17234)));
        return PrometheusMetrics.sum(gateway, "berth_gateway_refused_total");
    }

    void assertUnharmed() throws Exception {
        Worker now = trader.worker();
        assertThat(now.state()).isEqualTo("ACTIVE");
        assertThat(now.epoch()).isEqualTo(worker.epoch());
        assertThat(now.pid()).isEqualTo(worker.pid());
        assertThat(RedisKeyspace.of(stack).get("worker:active:" + trader.user()))
                .isEqualTo(worker.taskId());
        assertThat(trader.order("rests").status()).isEqualTo("NEW");
        assertThat(trader.get("/v1/orders/forged").status()).isEqualTo(404);
        Eventually.filled(trader, "after");
        new BerthCommand(stack).done("verify --user " + trader.user());
    }
}
