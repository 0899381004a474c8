package dev.berth.host.broker;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static dev.berth.temporal.OrderSamples.belowMarket;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.host.TestVenue;
import dev.berth.local.venue.VenueRules;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderPolicies;
import dev.berth.workflows.order.OrderStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a venue that is as strict with streams and requests as Alpaca. */
class AlpacaStreamTest {
    private static final BrokerCredentials ALICES = new BrokerCredentials("alice", "paper-alice");
    private static final VenueClientOrderId ID = VenueClientOrderId.parse("o-1");
    private static final Duration REAP = Duration.ofSeconds(4);

    private final Map<String, OrderStatus> reports = new ConcurrentHashMap<>();
    private TestVenue venue;
    private BrokerSession session;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        venue = TestVenue.start(folder, new VenueRules(VenueRules.STRICT.requestsPerMinute(), REAP));
        session = open();
    }

    @AfterEach
    void stop() {
        session.close();
        venue.close();
    }

    private BrokerSession open() throws Exception {
        return new AlpacaConnector(
                        () -> TestVenue.HTTP, new AlpacaEndpoints(venue.uri(), null), 7, OrderPolicies.OTHER_CALL)
                .open(ACCOUNT, ALICES, (id, report) -> reports.put(id.value(), report.status()));
    }

    private ExecutionReport send(String id) throws Exception {
        return session.prepare(belowMarket(id)).send(Duration.ofSeconds(5), Optional::empty);
    }

    /** The stream has reported the order, and nothing was missed before. */
    private void awaitProven() throws Exception {
        send("o-1");
        Awaitility.await().until(() -> session.current(ID).isPresent());
    }

    private void awaitReport(OrderStatus status) {
        Awaitility.await().until(() -> reports.get("o-1"), status::equals);
    }

    @Test
    @Tag("A7")
    @DisplayName("While the venue refuses streams, fills are found by requests, and the stream comes back")
    void refusedStreamIsNotDeaf() throws Exception {
        awaitProven();
        venue.faults("\"streams\":\"refused\"");
        venue.cutStreams();
        Awaitility.await().until(() -> session.current(ID).isEmpty());
        venue.quote("AAPL", "0.98", "0.99");
        awaitReport(OrderStatus.FILLED);
        venue.faults("");
        Awaitility.await().until(() -> session.current(ID).isPresent());
    }

    @Test
    @Tag("A7")
    @DisplayName("A stream that is open and reports nothing is found by a check, and replaced")
    void deafStreamIsReplaced() throws Exception {
        awaitProven();
        venue.faults("\"mute\":true,\"streams\":\"refused\"");
        venue.quote("AAPL", "0.98", "0.99");
        session.ping();
        awaitReport(OrderStatus.FILLED);
        Awaitility.await().until(() -> session.current(ID).isEmpty());
        venue.faults("");
        Awaitility.await().until(() -> session.current(ID).isPresent());
    }

    @Test
    @Tag("A7")
    @DisplayName("A stream that is open and does not report a new order is replaced within seconds")
    void streamWithoutNewOrderIsReplaced() throws Exception {
        awaitProven();
        venue.faults("\"mute\":true,\"streams\":\"refused\"");
        send("o-2");
        venue.quote("AAPL", "0.98", "0.99");
        awaitReport(OrderStatus.FILLED);
        Awaitility.await().until(() -> session.current(ID).isEmpty());
        venue.faults("");
        Awaitility.await().until(() -> session.current(ID).isPresent());
    }

    /** Waits for the adapter's 10 s. */
    @Test
    @Tag("A7")
    @Tag("long")
    @DisplayName("A stream that is never authorized is given up and tried again")
    void silentAuthorizationIsGivenUp() throws Exception {
        awaitProven();
        venue.faults("\"streams\":\"silent\"");
        venue.cutStreams();
        Awaitility.await().until(() -> session.current(ID).isEmpty());
        // The next stream is open by then, and waits for its authorization.
        Awaitility.await().pollDelay(Duration.ofSeconds(2)).until(() -> true);
        venue.faults("");
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> session.current(ID).isPresent());
    }

    @Test
    @Tag("A7")
    @DisplayName("A closed session leaves its stream's place at once; a killed one until the venue reaps it")
    void closedSessionLeavesItsPlace() throws Exception {
        awaitProven();
        session.close();
        session = open();
        Awaitility.await()
                .atMost(REAP.dividedBy(2))
                .until(() -> session.current(ID).isPresent());
    }

    @Test
    @Tag("X19")
    @DisplayName("Forty resting orders, their checks and their cancels take fewer than 100 requests")
    void manyOrdersFitTheLimit() throws Exception {
        awaitProven();
        for (int order = 2; order <= 40; order++) {
            send("o-" + order);
        }
        for (int order = 1; order <= 40; order++) {
            VenueClientOrderId id = VenueClientOrderId.parse("o-" + order);
            Awaitility.await().until(() -> session.current(id).isPresent());
        }
        session.ping();
        for (int order = 1; order <= 40; order++) {
            session.cancel(VenueClientOrderId.parse("o-" + order));
        }
        Awaitility.await().until(() -> !session.hasWorkingOrders(_ -> true));
        assertThat(venue.requestsLeft("alice", "paper-alice")).isGreaterThan(100);
    }

    @Test
    @Tag("X19")
    @DisplayName("When the account's requests are used up, a submission is not sent, and a cancel still is")
    void cancelsComeFirst() throws Exception {
        awaitProven();
        for (int request = venue.requestsLeft("alice", "paper-alice"); request > 15; request--) {
            venue.knows("alice", "paper-alice");
        }
        session.cancel(VenueClientOrderId.parse("unknown-order-asks"));
        assertThatThrownBy(() -> session.prepare(belowMarket("o-2")).send(Duration.ofMillis(300), Optional::empty))
                .isInstanceOf(BrokerSession.NotSentException.class);
        session.cancel(ID);
        awaitReport(OrderStatus.CANCELED);
        assertThat(venue.arrivals()).hasSize(1);
    }
}
