package dev.berth.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.host.broker.BrokerCredentials;
import dev.berth.host.broker.BrokerSession;
import dev.berth.host.pool.ClaimWarmUp;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class ClaimWarmUpTest {
    @RegisterExtension
    private static final HostTestRedis redis = new HostTestRedis();

    @Tag("A4")
    @DisplayName("The account of the warm-up is one whose broker the process really calls")
    @Test
    void accountReachesBroker(@TempDir Path folder) throws Exception {
        try (TestGateway gateway = new TestGateway(redis);
                TestVenue venue = TestVenue.start(folder)) {
            HostConnections host = TestHost.of(gateway.pool("task-1"), venue.uri(), "task-1", 1, WorkerLimits.DEFAULT);
            BrokerCredentials good = new BrokerCredentials("alice", "paper-alice");
            BrokerSession session = WorkerHost.newConnector(host, 0).open(ClaimWarmUp.ACCOUNT, good, (_, _) -> {});
            assertThat(session.hasWorkingOrders(_ -> true)).isFalse();
            session.close();
        }
    }
}
