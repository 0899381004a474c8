package dev.berth.activities.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.TestEcs;
import dev.berth.routing.TestRedis;
import dev.berth.workflows.worker.TaskArns;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.ecs.model.ContainerInstanceStatus;

class FailingHostsTest {
    private static final String VERSION = "arn:aws:ecs:us-east-1:1:task-definition/worker:1";

    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    @RegisterExtension
    private final TestEcs ecs = new TestEcs(3);

    private final LaunchTarget requests = ecs.workersRunning(TestEcs.OBEDIENT);
    private final LaunchCircuitBreaker circuit = new LaunchCircuitBreaker(
            redis.commands(),
            Duration.ofSeconds(30),
            InstantSource.system(),
            new FailingHosts(ecs.hosts(), redis.commands()));
    /** Another replica. */
    private final LaunchCircuitBreaker other = new LaunchCircuitBreaker(
            redis.commands(),
            Duration.ofSeconds(30),
            InstantSource.system(),
            new FailingHosts(ecs.hosts(), redis.commands()));

    private int launches;

    private List<String> hosts(ContainerInstanceStatus status) {
        return ecs.client()
                .listContainerInstances(list -> list.cluster(requests.cluster()).status(status))
                .containerInstanceArns();
    }

    private void fail(String host, int times) {
        for (int i = 0; i < times; i++) {
            String task = "arn:aws:ecs:us-east-1:1:task/berth/" + TaskArns.id(host) + launches++;
            // An event goes to one replica.
            LaunchCircuitBreaker replica = launches % 2 == 0 ? circuit : other;
            replica.stopped(task, VERSION, true, Duration.ofSeconds(1), host);
        }
    }

    @Tag("X22")
    @DisplayName("A host on which launches fail is drained, and holds no launch on the others")
    @Test
    void badHostIsDrained() {
        String live = ecs.run(requests, "alice");
        String bad = ecs.task(live).containerInstanceArn();
        fail(bad, 2 * LaunchCircuitBreaker.FAILURES);
        assertThat(hosts(ContainerInstanceStatus.DRAINING)).containsExactly(bad);
        assertThat(circuit.tryAcquire(VERSION)).isTrue();
        assertThat(ecs.task(ecs.run(requests, "bob")).containerInstanceArn()).isNotEqualTo(bad);
        assertThat(ecs.task(live).lastStatus()).isEqualTo("RUNNING");
    }

    @Tag("X8")
    @DisplayName("Failures on two hosts open the circuit of the version, and drain one host at most")
    @Test
    void badVersionOpensCircuit() {
        List<String> all = hosts(ContainerInstanceStatus.ACTIVE);
        fail(all.getFirst(), FailingHosts.FAILURES);
        assertThat(circuit.tryAcquire(VERSION)).isTrue();
        fail(all.get(1), LaunchCircuitBreaker.FAILURES);
        assertThat(circuit.tryAcquire(VERSION)).isFalse();
        assertThat(other.tryAcquire(VERSION)).isFalse();
        assertThat(hosts(ContainerInstanceStatus.DRAINING)).containsExactly(all.getFirst());
    }
}
