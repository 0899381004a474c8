package dev.berth.acceptance.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.acceptance.security.HostileCalls.Attempt;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Processes;
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.temporal.gateway.GatewayMessages.CertificateRequest;
import dev.berth.temporal.gateway.GatewayMessages.Empty;
import dev.berth.temporal.gateway.GatewayMethods;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A hostile process with all that a worker has, and a victim who trades meanwhile. Every attempt on
 * the victim is refused and counted, and the victim is unharmed.
 */
@ExtendWith(StackExtension.class)
class HostileWorkerTest {
    private final Stack stack;
    private HostileVictim victim;
    private Map<String, String> environment;

    HostileWorkerTest(Stack stack) {
        this.stack = stack;
    }

    @BeforeEach
    void startVictim(TestInfo test) throws Exception {
        String name = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
        victim = HostileVictim.start(stack, "victim-" + name);
        environment = victim.environment();
    }

    @Test
    @Tag("A1")
    @Tag("X16")
    @DisplayName("A worker's environment leads to the gateway alone, and its enrolment secret is dead")
    void environmentLeadsToGatewayAlone() throws Exception {
        List<Map<String, String>> environments = new ArrayList<>(List.of(environment));
        for (String task : Eventually.fullPool(RedisKeyspace.of(stack))) {
            environments.add(Processes.environment(Processes.ofTask(task)));
        }
        for (Map<String, String> worker : environments) {
            assertThat(worker.keySet()).noneMatch(name -> name.contains("REDIS") || name.contains("TEMPORAL"));
            assertThat(worker.values())
                    .noneMatch(value -> value.contains(":" + stack.port("REDIS", 16379)))
                    .noneMatch(value -> value.contains(":" + stack.port("TEMPORAL", 7233)))
                    .noneMatch(value -> value.contains(":" + stack.port("POSTGRES", 15432)));
        }
        try (HostileTask thief = HostileTask.unknown(environment)) {
            StatusRuntimeException dead = catchThrowableOfType(
                    StatusRuntimeException.class,
                    () -> thief.enrol(environment.getOrDefault("BERTH_ENROLMENT_SECRET", ""), victim.taskArn()));
            assertThat(dead.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND);
            victim.assertRefused(victim.temporalCalls(thief.withoutCertificate()));
        }
    }

    @Test
    @Tag("A1")
    @Tag("X16")
    @DisplayName("A hostile worker of one user reads and changes nothing of another")
    void workerOfOtherUserIsRefused() throws Exception {
        try (HostileTask hostile = HostileTask.launched(stack, environment, "hostile-user:1")) {
            List<Attempt> attempts = new ArrayList<>(victim.temporalCalls(hostile.channel()));
            Channel own = hostile.channel();
            attempts.add(
                    HostileVictim.own("publish another's order", own, GatewayMethods.PUBLISH_ORDER, victim.publish()));
            attempts.add(
                    HostileVictim.own("get another user", own, GatewayMethods.AWAIT_CLAIM, HostileVictim.heartbeat()));
            attempts.add(HostileVictim.own("list itself as idle", own, GatewayMethods.RENEW_IDLE, new Empty()));
            attempts.add(HostileVictim.own("start activities", own, GatewayMethods.WARM_UP, HostileVictim.warmUp()));
            attempts.add(HostileVictim.own("prepare a training", own, GatewayMethods.PREPARE_TRAINING, new Empty()));
            Channel unassigned = hostile.channel(null);
            attempts.add(HostileVictim.own(
                    "renew without assignment", unassigned, GatewayMethods.RENEW_HEARTBEAT, HostileVictim.heartbeat()));
            attempts.add(HostileVictim.own(
                    "renew its certificate without assignment",
                    unassigned,
                    GatewayMethods.RENEW_CERTIFICATE,
                    new CertificateRequest("any key")));
            attempts.add(HostileVictim.own(
                    "serve without a sealing key", own, GatewayMethods.ATTACHED, HostileVictim.attached()));
            Channel forged = hostile.channel("v1." + victim.trader().user() + ".forged");
            attempts.add(HostileVictim.own(
                    "renew by a forged assignment", forged, GatewayMethods.RENEW_HEARTBEAT, HostileVictim.heartbeat()));
            victim.assertRefused(attempts);
        }
        victim.assertUnharmed();
    }

    @Test
    @Tag("long")
    @Tag("A1")
    @Tag("X16")
    @DisplayName("A hostile pool worker reads and changes nothing of any user")
    void idlePoolWorkerIsRefused() throws Exception {
        try (HostileTask idle = HostileTask.launched(stack, environment, "-1");
                HostileTask other = HostileTask.launched(stack, environment, "hostile-other:1")) {
            List<Attempt> attempts = new ArrayList<>(victim.temporalCalls(idle.channel()));
            Channel own = idle.channel();
            attempts.add(
                    HostileVictim.own("publish another's order", own, GatewayMethods.PUBLISH_ORDER, victim.publish()));
            attempts.add(HostileVictim.own("say that it was found", own, GatewayMethods.FOUND, new Empty()));
            attempts.add(HostileVictim.own("say that it is idle", own, GatewayMethods.IDLE, new Empty()));
            Channel stolen = idle.channel(other.assignment());
            attempts.add(HostileVictim.own(
                    "renew by another's assignment",
                    stolen,
                    GatewayMethods.RENEW_HEARTBEAT,
                    HostileVictim.heartbeat()));
            attempts.add(HostileVictim.own(
                    "say so by another's", stolen, GatewayMethods.ATTACHED, HostileVictim.attached()));
            victim.assertRefused(attempts);
        }
        victim.assertUnharmed();
    }
}
