package dev.berth.host.broker;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static dev.berth.temporal.OrderSamples.belowMarket;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.host.TestVenue;
import dev.berth.host.broker.BrokerSession.WriteGate;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.OrderPolicies;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.OrderTerms;
import dev.berth.workflows.order.ReplaceOrder;
import dev.berth.workflows.order.ReplaceOutcome;
import dev.berth.workflows.order.ReplaceOutcome.NotReplaced;
import dev.berth.workflows.order.ReplaceOutcome.Replaced;
import dev.berth.workflows.order.SubmitOutcome.Cause;
import dev.berth.workflows.order.SubmitOutcome.Declined;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AlpacaReplacementTest {
    private static final BrokerCredentials ALICES = new BrokerCredentials("alice", "paper-alice");
    private static final WriteGate OPEN = Optional::empty;

    /** 10 shares at 1. */
    private final OrderRequest order = belowMarket("o-1");

    private TestVenue venue;
    private BrokerSession session;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        venue = TestVenue.start(folder);
        session = new AlpacaConnector(
                        () -> TestVenue.HTTP, new AlpacaEndpoints(venue.uri(), null), 7, OrderPolicies.OTHER_CALL)
                .open(ACCOUNT, ALICES, (_, _) -> {});
        session.prepare(order).send(Duration.ofSeconds(5), Optional::empty);
    }

    @AfterEach
    void stop() {
        session.close();
        venue.close();
    }

    private ReplaceOrder to(String quantity, String limit) {
        return next(0, quantity, limit, "0");
    }

    private ReplaceOrder next(int current, String quantity, String limit, String filledBefore) {
        OrderTerms wanted = new OrderTerms(Decimal.of(quantity), Decimal.of(limit), null);
        return new ReplaceOrder(order, current, current + 1, wanted, Decimal.of(filledBefore));
    }

    private JsonNode atVenue(String id) {
        return venue.orders().stream()
                .filter(found -> found.path("client_order_id").asText().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private Replaced replaced(ReplaceOrder replacement) throws Exception {
        return (Replaced) session.replace(replacement, OPEN);
    }

    private static void assertNotReplaced(ReplaceOutcome outcome, OrderStatus current, String why) {
        assertThat(outcome).isInstanceOfSatisfying(NotReplaced.class, not -> {
            assertThat(not.current().status()).isEqualTo(current);
            assertThat(not.reason().toString())
                    .startsWith("broker: not-replaced: ")
                    .contains(why);
        });
    }

    private void assertUnknown(ReplaceOrder replacement) {
        assertThatThrownBy(() -> session.replace(replacement, OPEN)).isInstanceOf(IOException.class);
    }

    @Test
    void nextVersionReplacesCurrent() throws Exception {
        Replaced outcome = replaced(to("20", "0.9"));
        assertThat(outcome.before().venueStatus()).isEqualTo("replaced");
        assertThat(outcome.next().version()).isEqualTo(1);
        assertThat(outcome.next().status()).isEqualTo(OrderStatus.NEW);
        JsonNode next = atVenue("o-1.r1");
        assertThat(next.path("id").asText()).isEqualTo(outcome.next().venueOrderId());
        assertThat(next.path("qty").asText()).isEqualTo("20");
        assertThat(next.path("limit_price").asText()).isEqualTo("0.9");
        assertThat(next.path("replaces").asText()).isEqualTo(outcome.before().venueOrderId());
        assertThat(venue.arrivals().getLast().path("epoch").asLong()).isEqualTo(7);
        VenueClientOrderId id = new VenueClientOrderId(order.clientOrderId(), 1);
        assertThat(session.cancel(id)).isPresent();
        Awaitility.await().until(() -> session.find(id).orElseThrow().status() == OrderStatus.CANCELED);
    }

    @DisplayName("The next version may trade only what no version has filled")
    @Test
    void countsFillsOfEveryVersion() throws Exception {
        venue.offer("AAPL", "1", 4);
        assertThat(replaced(to("12", "0.9")).before().filledQuantity()).isEqualTo(Decimal.of("4"));
        assertThat(atVenue("o-1.r1").path("qty").asText()).isEqualTo("8");
        venue.offer("AAPL", "0.9", 3);
        assertThat(replaced(next(1, "12", "0.8", "4")).before().filledQuantity())
                .isEqualTo(Decimal.of("3"));
        assertThat(atVenue("o-1.r2").path("qty").asText()).isEqualTo("5");
    }

    @DisplayName("The replaced version includes fills before the write")
    @Test
    void includesFillsBeforeWrite() throws Exception {
        ReplaceOutcome outcome = session.replace(to("12", "0.9"), () -> {
            venue.offer("AAPL", "1", 2);
            venue.offer("AAPL", "1", 3);
            return Optional.empty();
        });
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Replaced.class,
                        done -> assertThat(done.before().filledQuantity()).isEqualTo(Decimal.of("5")));
    }

    @Test
    void doesNotReplaceFinalOrder() throws Exception {
        venue.quote("AAPL", "0.9", "1");
        assertNotReplaced(session.replace(to("20", "0.9"), OPEN), OrderStatus.FILLED, "over before");
        assertThat(venue.arrivals()).hasSize(1);
    }

    @DisplayName("An order that is filled before the write is not replaced")
    @Test
    void doesNotReplaceOrderFilledBeforeWrite() throws Exception {
        ReplaceOutcome outcome = session.replace(to("20", "0.9"), () -> {
            venue.quote("AAPL", "0.9", "1");
            return Optional.empty();
        });
        assertNotReplaced(outcome, OrderStatus.FILLED, "order is already in \"filled\" state");
    }

    @Test
    void doesNotReplaceBelowFilledQuantity() throws Exception {
        venue.offer("AAPL", "1", 4);
        assertNotReplaced(session.replace(to("4", "1"), OPEN), OrderStatus.PARTIALLY_FILLED, "filled as far as that");
        assertNotReplaced(session.replace(to("3", "1"), OPEN), OrderStatus.PARTIALLY_FILLED, "filled as far as that");
        assertThat(venue.arrivals()).hasSize(1);
    }

    @Tag("E12")
    @DisplayName("A refused replacement is an outcome with the venue's text")
    @Test
    void refusalIsOutcome() throws Exception {
        venue.faults("\"refuse\":1.0");
        assertNotReplaced(session.replace(to("20", "0.9"), OPEN), OrderStatus.NEW, "order refused by the venue");
        venue.faults("");
        assertNotReplaced(session.replace(to("100000000", "1"), OPEN), OrderStatus.NEW, "insufficient buying power");
        assertThat(venue.orders()).hasSize(1);
    }

    @Tag("X3")
    @DisplayName("A replacement without an answer is found, not written again")
    @Test
    void findsReplacementAfterLostAnswer() throws Exception {
        venue.faults("\"dropAnswer\":1.0");
        assertUnknown(to("20", "0.9"));
        venue.faults("");
        assertThat(session.find(new VenueClientOrderId(order.clientOrderId(), 1)))
                .hasValueSatisfying(next -> assertThat(next.version()).isEqualTo(1));
        Replaced outcome = replaced(to("20", "0.9"));
        assertThat(outcome.next().status()).isEqualTo(OrderStatus.NEW);
        assertThat(outcome.before().venueStatus()).isEqualTo("replaced");
        assertThat(venue.arrivals()).hasSize(2);
    }

    @Tag("X3")
    @DisplayName("A server error leaves the outcome unknown")
    @Test
    void serverErrorIsUnknown() throws Exception {
        venue.faults("\"serverError\":1.0");
        assertUnknown(to("20", "0.9"));
        assertThat(session.find(new VenueClientOrderId(order.clientOrderId(), 1)))
                .isEmpty();
    }

    @Tag("X3")
    @DisplayName("An error is no refusal when the venue has the replacement")
    @Test
    void errorWithReplacementIsReplaced() throws Exception {
        ReplaceOutcome outcome = session.replace(to("20", "0.9"), () -> {
            // An earlier request with the same content that arrives late.
            try {
                replaced(to("20", "0.9"));
            } catch (Exception unexpected) {
                throw new AssertionError(unexpected);
            }
            return Optional.empty();
        });
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Replaced.class,
                        done -> assertThat(done.next().version()).isEqualTo(1));
        assertThat(venue.arrivals()).hasSize(3);
        assertThat(venue.orders()).hasSize(2);
    }

    @Tag("X3")
    @DisplayName("An order with an unknown replacement is unknown")
    @Test
    void unknownReplacementIsUnknown() throws Exception {
        replaced(to("20", "0.9"));
        assertUnknown(new ReplaceOrder(order, 0, 2, OrderTerms.of(order), Decimal.ZERO));
    }

    @Tag("X2")
    @DisplayName("A closed gate prevents the replacement")
    @Test
    void closedGatePreventsReplacement() throws Exception {
        Declined closed = new Declined(Cause.FENCED, FailureCode.NOT_REPLACED.because("closed"));
        assertNotReplaced(session.replace(to("20", "0.9"), () -> Optional.of(closed)), OrderStatus.NEW, "closed");
        assertThat(venue.arrivals()).hasSize(1);
    }
}
