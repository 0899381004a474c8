package dev.berth.host.broker;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static dev.berth.temporal.OrderSamples.belowMarket;
import static dev.berth.temporal.OrderSamples.market;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.host.TestVenue;
import dev.berth.host.broker.BrokerSession.OverBudgetException;
import dev.berth.local.venue.VenueRules;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.SignedDecimal;
import dev.berth.workflows.account.AccountActivity;
import dev.berth.workflows.account.AccountOrder;
import dev.berth.workflows.account.AccountPosition;
import dev.berth.workflows.account.AccountReport;
import dev.berth.workflows.account.CancelVenueOrderOutcome;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a session reads of its account, beside the venue. */
class AlpacaAccountTest {
    private static final BrokerCredentials ALICES = new BrokerCredentials("alice", "paper-alice");

    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final AtomicInteger changes = new AtomicInteger();
    private TestVenue venue;
    private BrokerSession session;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        venue = TestVenue.start(folder, new VenueRules(1_000, Duration.ofSeconds(90)));
        AlpacaEndpoints endpoints = new AlpacaEndpoints(venue.uri(), null);
        session = new AlpacaConnector(() -> TestVenue.HTTP, endpoints, 7, Duration.ofSeconds(15))
                .open(ACCOUNT, ALICES, new SessionListener() {
                    @Override
                    public void reported(ClientOrderId id, ExecutionReport report) {}

                    @Override
                    public void accountChanged() {
                        changes.incrementAndGet();
                    }
                });
    }

    @AfterEach
    void stop() {
        session.close();
        venue.close();
    }

    private ExecutionReport send(OrderRequest order) throws IOException, InterruptedException {
        return session.prepare(order).send(Duration.ofSeconds(5), Optional::empty);
    }

    private List<AccountOrder> open() throws IOException, InterruptedException {
        return Objects.requireNonNullElse(session.readAccount(false).orders(), List.of());
    }

    @Tag("T1")
    @DisplayName("A reading that lists the orders has those that no report told of")
    @Test
    void listingHasAllOrders() throws Exception {
        venue.submit("bob", "paper-bob", """
                {"symbol": "MSFT", "side": "buy", "type": "limit", "qty": "3", "limit_price": "90",
                 "time_in_force": "gtc"}""");
        AlpacaHttp http = new AlpacaHttp(
                TestVenue.HTTP, venue.uri(), new BrokerCredentials("bob", "paper-bob"), 7, new RequestBudget(1_000));
        // Without a stream, which is not started: every reading lists the orders.
        try (AlpacaSession deaf = new AlpacaSession(http, LIMIT, ACCOUNT, (_, _) -> {})) {
            assertThat(deaf.readAccount(false).orders()).hasSize(1);
        }
        AlpacaOpenOrders none = new AlpacaOpenOrders();
        AlpacaAccount account =
                new AlpacaAccount(http, ACCOUNT, none, new AlpacaOpenOrderPages(http, none, LIMIT), LIMIT);
        assertThat(account.read(false).orders()).as("no list was complete yet").isNull();
        assertThat(account.read(true).orders()).hasSize(1);
        assertThat(account.read(false).orders()).hasSize(1);
    }

    @Tag("T1")
    @DisplayName("Money, positions, open orders and activities are the venue's")
    @Test
    void accountIsVenues() throws Exception {
        Instant before = Instant.now();
        String filled = Objects.requireNonNull(send(market("a-1")).venueOrderId());
        send(belowMarket("a-2"));
        Awaitility.await().untilAsserted(() -> assertThat(open()).hasSize(1));

        AccountReport report = session.readAccount(false);
        assertThat(report.account()).isEqualTo(ACCOUNT);
        assertThat(report.asOf()).isBetween(before, Instant.now());
        assertThat(Objects.requireNonNull(report.balances())).satisfies(balances -> {
            assertThat(balances.currency()).isEqualTo("USD");
            assertThat(balances.cash()).isEqualTo(SignedDecimal.of("9998999.9"));
            // Ten bought at 100.01 are worth 99.99 each; ten more may cost 1 each.
            assertThat(balances.equity()).isEqualTo(SignedDecimal.of("9999999.8"));
            assertThat(balances.buyingPower()).isEqualTo(Decimal.of("9998989.9"));
            assertThat(balances.restrictions()).isEmpty();
        });
        assertThat(report.positions())
                .containsExactly(new AccountPosition(
                        "AAPL",
                        "us_equity",
                        SignedDecimal.of("10"),
                        Decimal.of("10"),
                        Decimal.of("100.01"),
                        "USD",
                        SignedDecimal.of("999.9")));
        assertThat(Objects.requireNonNull(report.orders())).singleElement().satisfies(order -> {
            assertThat(order.clientOrderId()).isEqualTo("a-2");
            assertThat(order.side()).isEqualTo("buy");
            assertThat(order.type()).isEqualTo("limit");
            assertThat(order.limitPrice()).isEqualTo(Decimal.of("1"));
            assertThat(order.status()).isEqualTo(OrderStatus.NEW);
        });
        assertThat(report.activities()).singleElement().satisfies(activity -> {
            assertThat(activity.kind()).isEqualTo("FILL");
            assertThat(activity.venueOrderId()).isEqualTo(filled);
            assertThat(activity.quantity()).isEqualTo(SignedDecimal.of("10"));
            assertThat(activity.price()).isEqualTo(Decimal.of("100.01"));
            assertThat(activity.activityId()).endsWith("::" + activity.executionId());
        });
    }

    @Tag("T1")
    @DisplayName("A short position is negative, and crypto has the symbol of its orders, with its fee as an activity")
    @Test
    void shortAndCryptoAreRead() throws Exception {
        venue.submit("alice", "paper-alice", """
                {"symbol": "TSLA", "side": "sell", "type": "market", "qty": "3", "time_in_force": "day"}""");
        venue.submit("alice", "paper-alice", """
                {"symbol": "BTC/USD", "side": "buy", "type": "market", "qty": "0.5", "time_in_force": "gtc"}""");
        AccountReport report = session.readAccount(false);
        assertThat(report.positions())
                .extracting(AccountPosition::symbol, AccountPosition::quantity)
                .containsExactlyInAnyOrder(
                        tuple("TSLA", SignedDecimal.of("-3")), tuple("BTC/USD", SignedDecimal.of("0.49875")));
        assertThat(report.activities())
                .filteredOn(activity -> activity.kind().equals("CFEE"))
                .extracting(AccountActivity::symbol, AccountActivity::quantity)
                .containsExactly(tuple("BTC/USD", SignedDecimal.of("-0.00125")));
    }

    @Tag("T2")
    @DisplayName("An order that was made elsewhere is shown while it is open, and can be canceled by the venue's id")
    @Test
    void foreignOrderIsFollowed() throws Exception {
        String foreign = venue.submit("alice", "paper-alice", """
                {"client_order_id": "by hand, no id of ours", "symbol": "MSFT", "side": "buy", "type": "limit",
                 "qty": "3", "limit_price": "90", "time_in_force": "gtc"}""").path("id").asText();
        Awaitility.await()
                .untilAsserted(() -> assertThat(open())
                        .extracting(AccountOrder::venueOrderId)
                        .containsExactly(foreign));
        int before = changes.get();

        assertThat(session.cancelVenueOrder(foreign)).isEqualTo(CancelVenueOrderOutcome.REQUESTED);
        Awaitility.await().untilAsserted(() -> assertThat(open()).isEmpty());
        assertThat(changes).hasValueGreaterThan(before);
        assertThat(session.cancelVenueOrder(foreign)).isEqualTo(CancelVenueOrderOutcome.REFUSED);
        assertThat(session.cancelVenueOrder("00000000-0000-0000-0000-000000000000"))
                .isEqualTo(CancelVenueOrderOutcome.ABSENT);
    }

    @Tag("T2")
    @DisplayName("Only an order that Berth follows counts as working")
    @Test
    void foreignOrderDoesNotCount() throws Exception {
        List<Collection<ClientOrderId>> asked = new ArrayList<>();
        assertThat(session.hasWorkingOrders(ids -> asked.add(ids))).isFalse();
        venue.submit("alice", "paper-alice", """
                {"client_order_id": "no id of ours!", "symbol": "MSFT", "side": "buy", "type": "limit",
                 "qty": "3", "limit_price": "90", "time_in_force": "gtc"}""");
        assertThat(session.hasWorkingOrders(ids -> asked.add(ids))).isFalse();
        assertThat(asked).isEmpty();

        send(belowMarket("a-2"));
        assertThat(session.hasWorkingOrders(ids -> asked.add(ids))).isTrue();
        assertThat(session.hasWorkingOrders(_ -> false)).isFalse();
        assertThat(asked).singleElement().satisfies(ids -> assertThat(ids).containsExactly(new ClientOrderId("a-2")));
    }

    @Tag("T1")
    @DisplayName("Reading stops at half of the broker's limit, and orders pass")
    @Test
    void readingLeavesBudget() throws Exception {
        assertThatThrownBy(() -> {
                    for (int read = 0; read < 1_000; read++) {
                        session.readAccount(false);
                    }
                })
                .isInstanceOf(OverBudgetException.class);
        assertThat(session.requestsUsed()).isBetween(50, 51);
        assertThat(send(market("a-1")).status()).isEqualTo(OrderStatus.FILLED);
    }
}
