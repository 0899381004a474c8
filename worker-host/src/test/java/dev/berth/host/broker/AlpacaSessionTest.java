package dev.berth.host.broker;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static dev.berth.temporal.OrderSamples.belowMarket;
import static dev.berth.temporal.OrderSamples.market;
import static dev.berth.temporal.OrderSamples.tooLarge;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.host.TestHost;
import dev.berth.host.TestVenue;
import dev.berth.host.broker.BrokerSession.NotSentException;
import dev.berth.host.broker.BrokerSession.RefusedException;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.Reason;
import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AlpacaSessionTest {
    private static final BrokerCredentials ALICES = new BrokerCredentials("alice", "paper-alice");

    private TestVenue venue;
    private BrokerSession session;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        venue = TestVenue.start(folder);
        session = connector().open(ACCOUNT, ALICES, (_, _) -> {});
    }

    @AfterEach
    void stop() {
        session.close();
        venue.close();
    }

    private AlpacaConnector connector() {
        return new AlpacaConnector(
                () -> TestVenue.HTTP, new AlpacaEndpoints(venue.uri(), null), 7, Duration.ofSeconds(15));
    }

    private static VenueClientOrderId id(String text) {
        return VenueClientOrderId.parse(text);
    }

    private ExecutionReport send(OrderRequest order) throws IOException, InterruptedException {
        return session.prepare(order).send(Duration.ofSeconds(5), Optional::empty);
    }

    @Test
    void orderWorksAtVenue() throws Exception {
        ExecutionReport report = send(belowMarket("o-1"));
        assertThat(report.status()).isEqualTo(OrderStatus.NEW);
        assertThat(report.filledQuantity()).isEqualTo(Decimal.ZERO);
        assertThat(report.venueOrderId())
                .isEqualTo(venue.orders().getFirst().path("id").asText());
        assertThat(report.epoch()).isEqualTo(7);
    }

    @Test
    void orderIsFilled() throws Exception {
        send(market("o-1"));
        ExecutionReport found = session.find(id("o-1")).orElseThrow();
        assertThat(found.status()).isEqualTo(OrderStatus.FILLED);
        assertThat(found.venueStatus()).isEqualTo("filled");
        assertThat(found.filledQuantity()).isEqualTo(Decimal.of("10"));
        assertThat(found.averagePrice()).isEqualTo(Decimal.of("100.01"));
    }

    @Tag("B4")
    @DisplayName("All pages of executions are read")
    @Test
    void readsAllPagesOfExecutions() throws Exception {
        ExecutionReport order = send(belowMarket("o-1"));
        session.cancel(id("o-1"));
        send(market("o-3"));
        List<String> executed = new ArrayList<>();
        for (int i = 0; i < 101; i++) {
            executed.add(venue.executeLate(String.valueOf(order.venueOrderId()), "0.01", "1"));
        }
        ExecutionReport found = session.findExecutions(id("o-1")).orElseThrow();
        assertThat(found.status()).isEqualTo(OrderStatus.CANCELED);
        assertThat(found.filledQuantity()).isEqualTo(Decimal.of("1.01"));
        assertThat(found.executions()).extracting(Execution::executionId).containsExactlyElementsOf(executed);
        assertThat(session.findExecutions(id("o-2"))).isEmpty();
    }

    @Test
    void prepareSendsNothing() {
        session.prepare(market("o-1"));
        assertThat(venue.arrivals()).isEmpty();
    }

    @Tag("X1")
    @DisplayName("Requests carry the epoch")
    @Test
    void sendsEpoch() throws Exception {
        send(market("o-1"));
        assertThat(venue.arrivals().getFirst().path("epoch").asLong()).isEqualTo(7);
    }

    @Tag("E12")
    @DisplayName("A refused order is a rejection with the venue's reason")
    @Test
    void refusalIsRejection() throws Exception {
        ExecutionReport report = send(tooLarge("o-1"));
        assertThat(report.status()).isEqualTo(OrderStatus.REJECTED);
        Reason reason = report.reason();
        assertThat(reason).isNotNull();
        assertThat(String.valueOf(reason)).startsWith("broker: refused-4").contains("insufficient");
    }

    @Tag("X3")
    @DisplayName("A duplicate client order id returns the existing order")
    @Test
    void duplicateReturnsExistingOrder() throws Exception {
        send(market("o-1"));
        ExecutionReport again = send(market("o-1"));
        assertThat(again.status()).isEqualTo(OrderStatus.FILLED);
        assertThat(venue.orders()).hasSize(1);
    }

    @Tag("X3")
    @DisplayName("A server error, a lost connection and a timeout are unknown outcomes")
    @Test
    void failuresAreUnknownOutcomes() throws Exception {
        venue.faults("\"serverError\":1.0");
        assertUnknown(() -> send(market("o-1")));
        venue.faults("\"dropAnswer\":1.0");
        assertUnknown(() -> send(market("o-2")));
        venue.faults("\"hang\":1.0");
        assertUnknown(() -> session.prepare(market("o-3")).send(Duration.ofSeconds(2), Optional::empty))
                .isInstanceOf(HttpTimeoutException.class);
        assertThat(session.find(id("o-1"))).isEmpty();
        assertThat(session.find(id("o-2"))).isPresent();
        assertThat(session.find(id("o-3"))).isEmpty();
    }

    @Tag("X3")
    @DisplayName("The HTTP client never repeats an order")
    @Test
    void httpClientDoesNotRepeat() throws Exception {
        send(market("warms-the-connection"));
        venue.faults("\"dropAnswer\":1.0");
        assertUnknown(() -> send(market("o-1")));
        assertThat(venue.arrivals()).hasSize(2);
    }

    private static AbstractThrowableAssert<?, ?> assertUnknown(ThrowingCallable sending) {
        return assertThatThrownBy(sending).isInstanceOf(IOException.class).isNotInstanceOf(NotSentException.class);
    }

    @Test
    void refusedConnectionIsNotSent() {
        AlpacaHttp http = new AlpacaHttp(TestVenue.HTTP, TestHost.NOWHERE, ALICES, 7, new RequestBudget(200));
        AlpacaSession unreachable = new AlpacaSession(http, Duration.ofSeconds(5), ACCOUNT, (_, _) -> {});
        assertThatThrownBy(() -> unreachable.prepare(market("o-1")).send(Duration.ofSeconds(5), Optional::empty))
                .isInstanceOf(NotSentException.class);
        unreachable.close();
    }

    @Tag("A7")
    @DisplayName("Refused credentials are not quoted")
    @Test
    void doesNotQuoteRefusedCredentials() {
        BrokerCredentials wrong = new BrokerCredentials("alice", "guessed");
        assertThatThrownBy(() -> connector().open(ACCOUNT, wrong, (_, _) -> {}))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("Store the right ones")
                .hasMessageNotContaining("alice")
                .hasMessageNotContaining("guessed");
    }

    @Test
    void cancelReturnsOrder() throws Exception {
        send(belowMarket("works"));
        send(market("is-filled"));
        assertThat(session.cancel(id("works")).orElseThrow().status())
                .isIn(OrderStatus.CANCELED, OrderStatus.PENDING_CANCEL);
        Awaitility.await().until(() -> session.find(id("works")).orElseThrow().status() == OrderStatus.CANCELED);
        assertThat(session.cancel(id("works")).orElseThrow().status()).isEqualTo(OrderStatus.CANCELED);
        assertThat(session.cancel(id("is-filled")).orElseThrow().status()).isEqualTo(OrderStatus.FILLED);
        assertThat(session.cancel(id("never-was"))).isEmpty();
    }
}
