package dev.berth.host.broker;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.host.HostTestRedis;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The port's promises through the customer's machine, except for what that machine has alone. */
@Tag("X17")
@Tag("X20")
class RemoteConformanceTest extends BrokerConformanceTest {
    @RegisterExtension
    static final HostTestRedis REDIS = new HostTestRedis();

    @Override
    ConformanceBroker startBroker(Path folder) throws Exception {
        return new RemoteConformanceBroker(REDIS, folder, EPOCH);
    }

    /** Credentials are on the machine: a session opens without any. */
    @Test
    @Override
    @DisplayName("24. A machine whose broker refuses its credentials makes the session unhealthy")
    void refusedCredentialsOpenNoSession() {
        broker.revokeCredentials();
        assertThatThrownBy(() -> session.ping()).isInstanceOf(BrokerSession.RefusedException.class);
    }

    /** Reports go from the replica to the workflows: no session subscribes to them. */
    @Test
    @Override
    @DisplayName("27. A remote session closes nothing: the machine's connection serves the next one")
    void closedSessionReportsNothing() throws Exception {
        session.close();
        session = open(EPOCH);
        session.ping();
    }
}
