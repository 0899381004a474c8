package dev.berth.gateway;

import static dev.berth.temporal.OrderSamples.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.routing.CallResult;
import dev.berth.routing.ReplicaId;
import dev.berth.routing.ReplicaInbox;
import dev.berth.routing.ReplicaInfo;
import dev.berth.routing.ReplicaRegistry;
import dev.berth.routing.RouteRegistry;
import dev.berth.routing.RoutedCalls;
import dev.berth.routing.RoutedRequest;
import dev.berth.routing.TestRedis;
import dev.berth.temporal.gateway.GatewayMessages.RemoteCallRequest;
import dev.berth.workflows.Json;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.Environment;
import dev.berth.workflows.remote.RemoteAnswer;
import dev.berth.workflows.remote.RemoteCall;
import dev.berth.workflows.remote.RemoteMethod;
import io.grpc.StatusRuntimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("X20")
class RemoteBrokerTest {
    @RegisterExtension
    static final TestRedis REDIS = new TestRedis();

    private static final Caller WORKER = new Caller(
            new TaskCertificate(GatewayFixture.newArn(), null, Instant.EPOCH, null), new Assignment("task", ALICE, 7));

    private final List<RoutedRequest> taken = new CopyOnWriteArrayList<>();
    private final Deque<CallResult> results = new ArrayDeque<>();
    private final RoutedCalls routed = new RoutedCalls(REDIS.client(), (_, _, _) -> {});
    private final ReplicaId replica = ReplicaId.create("test");
    private final ReplicaInbox inbox = new ReplicaInbox(REDIS.client(), replica);
    private final RemoteBroker remote = new RemoteBroker(routed, new Refusals((_, _) -> {}), InstantSource.system());

    @BeforeEach
    void start() {
        inbox.handler(RemoteCall.KIND, request -> {
            taken.add(request);
            return results.remove();
        });
        inbox.start();
        new ReplicaRegistry(REDIS.commands()).renew(new ReplicaInfo(replica, 0, 1, Instant.now(), 0, 0, 0, 0));
    }

    @AfterEach
    void stop() {
        inbox.close();
        routed.close();
    }

    private void connect() {
        new RouteRegistry(REDIS.commands()).register(ALICE, Environment.PAPER, replica);
    }

    private static RemoteCallRequest request(String account, @Nullable Instant notAfter) {
        return new RemoteCallRequest(
                "7-aaaaaaaa",
                RemoteMethod.SEND,
                AccountKey.parse(account),
                "first",
                2_000,
                notAfter,
                3_000,
                Json.tree("{}"));
    }

    private RemoteAnswer call(@Nullable Instant notAfter) {
        return remote.call(WORKER, request("remote/equity/paper/home", notAfter));
    }

    @Test
    @DisplayName("A call has the user and the epoch of its worker, and the earlier deadline")
    void callIsOfItsWorker() {
        connect();
        results.add(new CallResult.Answered("{\"outcome\":\"done\"}"));
        results.add(new CallResult.Answered("{\"outcome\":\"done\"}"));
        Instant before = Instant.now();
        assertThat(call(null).outcome()).isEqualTo(RemoteAnswer.Outcome.DONE);
        RemoteCall call = Json.read(taken.getFirst().payload(), RemoteCall.class);
        assertThat(taken.getFirst().userId()).isEqualTo(ALICE);
        assertThat(call.epoch()).isEqualTo(7);
        assertThat(call.deadline())
                .isBetween(before.plusMillis(2_000), Instant.now().plusMillis(2_000));
        call(before);
        assertThat(Json.read(taken.getLast().payload(), RemoteCall.class).deadline())
                .isEqualTo(before);
    }

    @Test
    @DisplayName("Every end of a routed call keeps its meaning; a moved connection is tried again")
    void endsKeepTheirMeaning() {
        assertThat(call(null).cause()).isEqualTo(RemoteAnswer.DISCONNECTED);
        connect();
        results.addAll(List.of(new CallResult.Mismatch(), new CallResult.Answered("{\"outcome\":\"absent\"}")));
        assertThat(call(null).outcome()).isEqualTo(RemoteAnswer.Outcome.ABSENT);
        results.addAll(List.of(new CallResult.Mismatch(), new CallResult.Mismatch(), new CallResult.Mismatch()));
        assertThat(call(null).cause()).isEqualTo(RemoteAnswer.MISMATCH);
        results.add(new CallResult.Unknown("lost"));
        assertThat(call(null).outcome()).isEqualTo(RemoteAnswer.Outcome.UNKNOWN);
        results.add(new CallResult.Answered("{\"outcome\":\"report\"}"));
        assertThat(call(null).outcome()).isEqualTo(RemoteAnswer.Outcome.UNKNOWN);
        results.add(new CallResult.NotSent("full"));
        assertThat(call(null).outcome()).isEqualTo(RemoteAnswer.Outcome.NOT_SENT);
        assertThat(results).isEmpty();
    }

    @Test
    @DisplayName("Accounts of other brokers are not called")
    void otherBrokersAreRefused() {
        connect();
        assertThatThrownBy(() -> remote.call(WORKER, request("alpaca/equity/paper/paper", null)))
                .isInstanceOf(StatusRuntimeException.class);
        assertThat(taken).isEmpty();
    }
}
