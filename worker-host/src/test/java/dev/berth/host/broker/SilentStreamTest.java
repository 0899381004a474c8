package dev.berth.host.broker;

import static dev.berth.host.Samples.ACCOUNT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.host.TestVenue;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SilentStreamTest {
    @DisplayName("A7 a stream of news that answers no ping is cut off, and opened again")
    @Test
    void silent() throws Exception {
        try (BareStream venue = new BareStream(false);
                BrokerSession session = open(venue)) {
            Awaitility.await().until(() -> {
                session.ping();
                return venue.opened() >= 2;
            });
        }
    }

    @DisplayName("A7 a stream of news that answers its pings stays")
    @Test
    void answering() throws Exception {
        try (BareStream venue = new BareStream(true);
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
        return new AlpacaConnector(() -> TestVenue.HTTP, venue.uri(), 7)
                .open(ACCOUNT, new Credentials("alice", "paper-alice"), (_, _) -> {});
    }
}
