package dev.berth.host.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.host.HostTestRedis;
import dev.berth.host.TestGateway;
import dev.berth.host.TestHost;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The gateway has fewer places for clients without a certificate. */
class EnrolmentBurstTest {
    private static final int TASKS = 200;

    @RegisterExtension
    private static final HostTestRedis redis = new HostTestRedis();

    @Tag("X32")
    @DisplayName("Hundreds of tasks of one address enrol at once")
    @Test
    void allEnrol() throws Exception {
        List<GatewayConnection> connections = new ArrayList<>();
        try (TestGateway gateway = new TestGateway(redis);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> enrolments = new ArrayList<>();
            for (int number = 0; number < TASKS; number++) {
                String secret = "secret-" + number;
                String taskArn = TestHost.task("task-" + number).taskArn();
                gateway.record(secret, taskArn, "user-" + number + ":1");
                connections.add(new GatewayConnection(gateway.endpoint(secret)));
            }
            for (int number = 0; number < TASKS; number++) {
                GatewayConnection connection = connections.get(number);
                String taskArn = TestHost.task("task-" + number).taskArn();
                enrolments.add(threads.submit(() -> {
                    connection.enrol(taskArn);
                    return null;
                }));
            }
            for (Future<?> enrolment : enrolments) {
                assertThat(enrolment.get()).isNull();
            }
        } finally {
            connections.forEach(GatewayConnection::close);
        }
    }
}
