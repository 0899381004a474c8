package dev.berth.host.broker;

import static dev.berth.host.Samples.ACCOUNT;
import static dev.berth.host.Samples.market;
import static dev.berth.host.Samples.resting;
import static dev.berth.host.Samples.tooLarge;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.host.TestHost;
import dev.berth.host.TestVenue;
import dev.berth.host.broker.BrokerSession.NotSentException;
import dev.berth.host.broker.BrokerSession.RefusedException;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.Reason;
import dev.berth.workflows.order.VenueReport;
import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AlpacaSessionTest {
    private static final Credentials ALICES = new Credentials("alice", "paper-alice");

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
        return new AlpacaConnector(() -> TestVenue.HTTP, venue.uri(), 7, Duration.ofSeconds(15));
    }

    private static VenueClientOrderId id(String text) {
        return VenueClientOrderId.parse(text);
    }

    private VenueReport send(OrderRequest order) throws IOException, InterruptedException {
        return session.prepare(order).send(Duration.ofSeconds(5), Optional::empty);
    }

    @Test
    void anOrderRestsAtTheVenue() throws Exception {
        VenueReport report = send(resting("o-1"));
        assertThat(report.status()).isEqualTo(OrderStatus.NEW);
        assertThat(report.filledQuantity()).isEqualTo(Decimal.ZERO);
        assertThat(report.venueOrderId())
                .isEqualTo(venue.orders().getFirst().path("id").asText());
        assertThat(report.epoch()).isEqualTo(7);
    }

    @Test
    void anOrderIsFilled() throws Exception {
        send(market("o-1"));
        VenueReport found = session.find(id("o-1")).orElseThrow();
        assertThat(found.status()).isEqualTo(OrderStatus.FILLED);
        assertThat(found.venueStatus()).isEqualTo("filled");
        assertThat(found.filledQuantity()).isEqualTo(Decimal.of("10"));
        assertThat(found.averagePrice()).isEqualTo(Decimal.of("100.01"));
    }

    @DisplayName("B4 the venue is asked for all executions, however many pages these are")
    @Test
    void executions() throws Exception {
        VenueReport order = send(resting("o-1"));
        session.cancel(id("o-1"));
        send(market("o-3"));
        List<String> executed = new ArrayList<>();
        for (int i = 0; i < 101; i++) {
            executed.add(venue.executeLate(String.valueOf(order.venueOrderId()), "0.01", "1"));
        }
        VenueReport found = session.findExecutions(id("o-1")).orElseThrow();
        assertThat(found.status()).isEqualTo(OrderStatus.CANCELED);
        assertThat(found.filledQuantity()).isEqualTo(Decimal.of("1.01"));
        assertThat(found.executions()).extracting(Execution::executionId).containsExactlyElementsOf(executed);
        assertThat(session.findExecutions(id("o-2"))).isEmpty();
    }

    @Test
    void nothingIsSentBeforeItIsTold() {
        session.prepare(market("o-1"));
        assertThat(venue.arrivals()).isEmpty();
    }

    @DisplayName("X1 the venue is told which worker sends")
    @Test
    void sendsTheEpoch() throws Exception {
        send(market("o-1"));
        assertThat(venue.arrivals().getFirst().path("epoch").asLong()).isEqualTo(7);
    }

    @DisplayName("E12 a no from the venue is an outcome, with the venue's reason behind broker:")
    @Test
    void rejected() throws Exception {
        VenueReport report = send(tooLarge("o-1"));
        assertThat(report.status()).isEqualTo(OrderStatus.REJECTED);
        Reason reason = report.reason();
        assertThat(reason).isNotNull();
        assertThat(String.valueOf(reason)).startsWith("broker: refused-4").contains("insufficient");
    }

    @DisplayName("X3 a duplicate client order id is what the venue has, and never a rejection")
    @Test
    void duplicate() throws Exception {
        send(market("o-1"));
        VenueReport again = send(market("o-1"));
        assertThat(again.status()).isEqualTo(OrderStatus.FILLED);
        assertThat(venue.orders()).hasSize(1);
    }

    @DisplayName("X3 a server error, a cut connection and no answer in time all leave it unknown")
    @Test
    void unknownOutcomes() throws Exception {
        venue.faults("\"serverError\":1.0");
        assertUnknown(() -> send(market("o-1")));
        venue.faults("\"dropAnswer\":1.0");
        assertUnknown(() -> send(market("o-2")));
        venue.faults("\"hang\":1.0");
        assertUnknown(() -> session.prepare(market("o-3")).send(Duration.ofMillis(300), Optional::empty))
                .isInstanceOf(HttpTimeoutException.class);
        assertThat(session.find(id("o-1"))).isEmpty();
        assertThat(session.find(id("o-2"))).isPresent();
        assertThat(session.find(id("o-3"))).isEmpty();
    }

    @DisplayName("X3 the HTTP client does not send an order again by itself")
    @Test
    void isNotRepeatedUnderneath() throws Exception {
        send(market("warms-the-connection"));
        venue.faults("\"dropAnswer\":1.0");
        assertUnknown(() -> send(market("o-1")));
        assertThat(venue.arrivals()).hasSize(2);
    }

    private static AbstractThrowableAssert<?, ?> assertUnknown(ThrowingCallable sending) {
        return assertThatThrownBy(sending).isInstanceOf(IOException.class).isNotInstanceOf(NotSentException.class);
    }

    @Test
    void aRefusedConnectionIsSurelyNotSent() {
        AlpacaNews news = new AlpacaNews(TestVenue.HTTP, TestHost.NOWHERE, ALICES, 7, (_, _) -> {});
        AlpacaSession away =
                new AlpacaSession(TestVenue.HTTP, TestHost.NOWHERE, ALICES, 7, Duration.ofSeconds(5), news);
        assertThatThrownBy(() -> away.prepare(market("o-1")).send(Duration.ofSeconds(5), Optional::empty))
                .isInstanceOf(NotSentException.class);
        away.close();
    }

    @DisplayName("A7 credentials that the broker refuses are named by neither part; what is to be done is said")
    @Test
    void wrongCredentialsAreRefused() {
        Credentials wrong = new Credentials("alice", "guessed");
        assertThatThrownBy(() -> connector().open(ACCOUNT, wrong, (_, _) -> {}))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("Store the right ones")
                .hasMessageNotContaining("alice")
                .hasMessageNotContaining("guessed");
    }

    @Test
    void cancels() throws Exception {
        send(resting("rests"));
        send(market("is-filled"));
        assertThat(List.of(
                        session.cancel(id("rests")).orElseThrow().status(),
                        session.cancel(id("is-filled")).orElseThrow().status()))
                .containsExactly(OrderStatus.CANCELED, OrderStatus.FILLED);
        assertThat(session.cancel(id("never-was"))).isEmpty();
    }
}
