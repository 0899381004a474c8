package dev.berth.host.broker;

import static dev.berth.host.Samples.ACCOUNT;
import static dev.berth.host.Samples.resting;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.host.TestVenue;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.VenueReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AlpacaNewsTest {
    private static final Credentials ALICES = new Credentials("alice", "paper-alice");

    private final Map<String, VenueReport> heard = new ConcurrentHashMap<>();
    private final AtomicInteger sent = new AtomicInteger();
    private TestVenue venue;
    private BrokerSession session;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        venue = TestVenue.start(folder);
        session = new AlpacaConnector(() -> TestVenue.HTTP, venue.uri(), 7)
                .open(ACCOUNT, ALICES, (id, report) -> heard.put(id.value(), report));
    }

    @AfterEach
    void stop() {
        session.close();
        venue.close();
    }

    @DisplayName("A fill that comes later is heard of, without asking")
    @Test
    void aFillIsHeardOf() throws Exception {
        awaitStream();
        session.prepare(resting("o-1")).send(Duration.ofSeconds(5));
        venue.quote("AAPL", "0.98", "0.99");
        Awaitility.await()
                .until(
                        () -> Optional.ofNullable(heard.get("o-1")).map(VenueReport::status),
                        Optional.of(OrderStatus.FILLED)::equals);
    }

    @DisplayName("The stream of news comes back by itself after the venue was away")
    @Test
    void reconnects() {
        awaitStream();
        venue.restart();
        awaitStream();
    }

    @Test
    void aClosedSessionHearsNothing() throws Exception {
        awaitStream();
        session.close();
        heard.clear();
        session.prepare(resting("after")).send(Duration.ofSeconds(5));
        BrokerSession other = new AlpacaConnector(() -> TestVenue.HTTP, venue.uri(), 7)
                .open(ACCOUNT, ALICES, (id, report) -> heard.put("other-" + id.value(), report));
        Awaitility.await().until(() -> {
            other.prepare(resting("probe-" + sent.incrementAndGet())).send(Duration.ofSeconds(5));
            return !heard.isEmpty();
        });
        other.close();
        assertThat(heard.keySet()).allMatch(id -> id.startsWith("other-"));
    }

    /** Sends orders until one is heard of: the stream connects in the background. */
    private void awaitStream() {
        heard.clear();
        Awaitility.await()
                .pollInterval(Duration.ofMillis(200))
                .ignoreExceptions()
                .until(() -> {
                    session.prepare(resting("probe-" + sent.incrementAndGet())).send(Duration.ofSeconds(5));
                    return !heard.isEmpty();
                });
    }
}
