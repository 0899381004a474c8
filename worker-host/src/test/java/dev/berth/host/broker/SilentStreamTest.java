package dev.berth.host.broker;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.host.TestVenue;
import dev.berth.workflows.order.OrderPolicies;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SilentStreamTest {
    @Tag("A7")
    @DisplayName("A stream without pongs is reconnected")
    @Test
    void reconnectsWithoutPong() throws Exception {
        try (BareStream venue = new BareStream(true, false);
                BrokerSession session = open(venue)) {
            Awaitility.await().until(() -> {
                session.ping();
                return venue.opened() >= 2;
            });
        }
    }

    @Tag("A7")
    @DisplayName("A stream with pongs stays connected")
    @Test
    void staysConnectedWithPongs() throws Exception {
        try (BareStream venue = new BareStream(true, true);
                BrokerSession session = open(venue)) {
            // A pong has until the next ping.
            Awaitility.await()
                    .pollInterval(Duration.ofSeconds(2))
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> {
                        session.ping();
                        return venue.pings() >= 3;
                    });
            assertThat(venue.opened()).isEqualTo(1);
        }
    }

    private static BrokerSession open(BareStream venue) throws Exception {
        return new AlpacaConnector(
                        () -> TestVenue.HTTP, new AlpacaEndpoints(venue.uri(), null), 7, OrderPolicies.OTHER_CALL)
                .open(ACCOUNT, new BrokerCredentials("alice", "paper-alice"), (_, _) -> {});
    }
}
