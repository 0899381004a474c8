package dev.berth.host.broker;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static dev.berth.temporal.OrderSamples.belowMarket;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.host.broker.BrokerSession.NotSentException;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.broker.OrderIdentity;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An account at a broker that knows ids of its own alone, in which others may trade, too. */
@Tag("Y7")
class IdentifyingSessionTest {
    private static final VenueClientOrderId ORDER = VenueClientOrderId.parse("o-1");

    private final List<ExecutionReport> reports = new CopyOnWriteArrayList<>();
    private VenueIdConformanceBroker broker;
    private BrokerSession session;

    @BeforeEach
    void start() throws Exception {
        broker = new VenueIdConformanceBroker(OrderIdentity.NONE, false);
        session = open(7);
    }

    @AfterEach
    void stop() {
        session.close();
        broker.close();
    }

    private BrokerSession open(long epoch) throws Exception {
        return broker.connector(epoch).open(ACCOUNT, broker.credentials(), (_, report) -> reports.add(report));
    }

    private void loseAnswer() {
        broker.loseNextAnswer();
        assertThatThrownBy(() -> session.prepare(belowMarket("o-1")).send(Duration.ofSeconds(2), Optional::empty))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(NotSentException.class);
        Awaitility.await().ignoreExceptions().untilAsserted(() -> session.ping());
    }

    @Test
    @DisplayName("A lost answer is not guessed at; under the id that a person names, the order is followed again")
    void personNamesOrder() throws Exception {
        loseAnswer();
        assertThat(session.find(ORDER)).isEmpty();
        assertThat(session.cancel(ORDER)).isEmpty();
        assertThat(session.findByVenueOrderId(ORDER, "v-1").orElseThrow().status())
                .isEqualTo(OrderStatus.NEW);
        assertThat(session.find(ORDER)).isPresent();
        broker.trade("10", "0.98");
        Awaitility.await().until(() -> reports.stream().anyMatch(report -> report.status() == OrderStatus.FILLED));
    }

    @Test
    @DisplayName("An id of another order, and one whose order has other terms, are not taken")
    void idOfAnotherIsNotTaken() throws Exception {
        loseAnswer();
        session.prepare(belowMarket("o-2")).send(Duration.ofSeconds(2), Optional::empty);
        broker.tradeForeignOrder();
        assertThat(session.findByVenueOrderId(ORDER, "v-2")).isEmpty();
        assertThat(session.findByVenueOrderId(ORDER, "v-3")).isEmpty();
        assertThat(session.findByVenueOrderId(ORDER, "v-9")).isEmpty();
        assertThat(session.findByVenueOrderId(ORDER, "v-1")).isPresent();
    }

    @Test
    @DisplayName("An id that the answer named is known to the next process, and belongs to no other order")
    void claimOutlivesProcess() throws Exception {
        session.prepare(belowMarket("o-1")).send(Duration.ofSeconds(2), Optional::empty);
        session.close();
        session = open(8);
        assertThat(session.find(ORDER).orElseThrow().venueOrderId()).isEqualTo("v-1");
        broker.claims().intend(belowMarket("o-2"));
        assertThat(session.findByVenueOrderId(VenueClientOrderId.parse("o-2"), "v-1"))
                .isEmpty();
    }
}
