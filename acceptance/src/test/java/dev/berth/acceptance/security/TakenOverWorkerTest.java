package dev.berth.acceptance.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.security.HostileCalls.Attempt;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Processes;
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.temporal.gateway.GatewayMessages.Empty;
import dev.berth.temporal.gateway.GatewayMethods;
import io.grpc.Channel;
import io.temporal.api.workflowservice.v1.DescribeNamespaceRequest;
import io.temporal.api.workflowservice.v1.DescribeNamespaceResponse;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A running worker is taken over with all that its process holds, and tries to harm another user.
 */
@ExtendWith(StackExtension.class)
class TakenOverWorkerTest {
    private final Stack stack;
    private final RedisKeyspace redis;
    private HostileVictim victim;

    TakenOverWorkerTest(Stack stack) {
        this.stack = stack;
        this.redis = RedisKeyspace.of(stack);
    }

    @BeforeEach
    void startVictim(TestInfo test) throws Exception {
        String name = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
        victim = HostileVictim.start(stack, "victim-" + name);
    }

    @Test
    @Tag("A1")
    @Tag("X16")
    @DisplayName("What root finds in a running worker gives nothing of another user, and no way to SQS")
    void takenOverWorkerIsRefused() throws Exception {
        Trader thief = Eventually.trading(stack, "thief");
        Worker worker = Eventually.activeWorker(thief, 1, Duration.ofSeconds(60));
        StolenIdentity stolen = StolenIdentity.of(worker.pid(), worker.taskArn());
        assertThat(stolen.assignment()).contains(".thief.");
        try (HostileTask hostile = takenOver(stolen)) {
            assertIdentityWorks(hostile);
            List<Attempt> attempts = new ArrayList<>(victim.temporalCalls(hostile.channel()));
            attempts.addAll(ownCalls(hostile));
            attempts.add(HostileVictim.own(
                    "list itself as idle", hostile.channel(), GatewayMethods.RENEW_IDLE, new Empty()));
            String assignment = String.valueOf(stolen.assignment());
            Channel altered = hostile.channel(
                    assignment.replace(".thief.", "." + victim.trader().user() + "."));
            attempts.add(HostileVictim.own(
                    "alter its assignment", altered, GatewayMethods.RENEW_HEARTBEAT, HostileVictim.heartbeat()));
            attempts.addAll(enrolments(hostile, stolen));
            victim.assertRefused(attempts);
            assertThat(stolen.environment()).doesNotContainKeys("AWS_ENDPOINT_URL_SQS", "AWS_ACCESS_KEY_ID");
        }
        victim.assertUnharmed();
    }

    @Test
    @Tag("long")
    @Tag("A1")
    @Tag("X16")
    @DisplayName("What root finds in an idle pool worker gives nothing of any user")
    void takenOverPoolWorkerIsRefused() throws Exception {
        String task = Eventually.fullPool(redis).getFirst();
        String arn = victim.taskArn().replace(victim.worker().taskId(), task);
        StolenIdentity stolen = StolenIdentity.of(Processes.ofTask(task), arn);
        assertThat(stolen.assignment()).isNull();
        try (HostileTask hostile = takenOver(stolen)) {
            assertIdentityWorks(hostile);
            List<Attempt> attempts = new ArrayList<>(victim.temporalCalls(hostile.channel()));
            attempts.addAll(ownCalls(hostile));
            attempts.add(
                    HostileVictim.own("say that it was found", hostile.channel(), GatewayMethods.FOUND, new Empty()));
            attempts.add(HostileVictim.own("say that it is idle", hostile.channel(), GatewayMethods.IDLE, new Empty()));
            attempts.addAll(enrolments(hostile, stolen));
            victim.assertRefused(attempts);
        }
        victim.assertUnharmed();
    }

    /** Else every refusal would prove nothing but a wrong key. */
    private static void assertIdentityWorks(HostileTask hostile) throws Exception {
        DescribeNamespaceResponse answer = WorkflowServiceGrpc.newBlockingStub(hostile.channel())
                .withDeadlineAfter(10, TimeUnit.SECONDS)
                .describeNamespace(DescribeNamespaceRequest.newBuilder()
                        .setNamespace("berth")
                        .build());
        assertThat(answer.getNamespaceInfo().getName()).isEqualTo("berth");
    }

    private List<Attempt> ownCalls(HostileTask hostile) throws Exception {
        Channel own = hostile.channel();
        Channel forged = hostile.channel("v1." + victim.trader().user() + ".forged");
        return List.of(
                HostileVictim.own("publish another's order", own, GatewayMethods.PUBLISH_ORDER, victim.publish()),
                HostileVictim.own(
                        "renew by a forged assignment",
                        forged,
                        GatewayMethods.RENEW_HEARTBEAT,
                        HostileVictim.heartbeat()));
    }

    /** The secret of its own launch, as itself and as the victim's task. */
    private List<Attempt> enrolments(HostileTask hostile, StolenIdentity stolen) {
        String secret = stolen.environment().getOrDefault("BERTH_ENROLMENT_SECRET", "");
        return Stream.of(stolen.taskArn(), victim.taskArn())
                .map(arn -> new Attempt("enrol again as " + arn, () -> {
                    try {
                        hostile.enrol(secret, arn);
                    } catch (GeneralSecurityException | IOException unexpected) {
                        throw new AssertionError(unexpected);
                    }
                }))
                .toList();
    }

    private static HostileTask takenOver(StolenIdentity stolen) throws GeneralSecurityException {
        return HostileTask.takenOver(
                stolen.environment(), stolen.taskArn(), stolen.key(), stolen.certificate(), stolen.assignment());
    }
}
