package dev.berth.host.account;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static dev.berth.temporal.OrderSamples.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.host.TestVenue;
import dev.berth.host.broker.AlpacaConnector;
import dev.berth.host.broker.AlpacaEndpoints;
import dev.berth.host.broker.BrokerCredentials;
import dev.berth.host.broker.BrokerSession;
import dev.berth.host.broker.SessionListener;
import dev.berth.host.order.SentOrders;
import dev.berth.local.venue.VenueRules;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.account.AccountOrder;
import dev.berth.workflows.masscancel.MassCancel;
import dev.berth.workflows.masscancel.MassCancelItem;
import dev.berth.workflows.masscancel.MassCancelItem.Outcome;
import dev.berth.workflows.masscancel.VenueMassCancel;
import dev.berth.workflows.masscancel.VenueMassCancel.Round;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderType;
import dev.berth.workflows.order.Side;
import dev.berth.workflows.order.TimeInForce;
import dev.berth.workflows.risk.KillSwitch;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A round of a mass cancel, at the paper venue. */
@Tag("T3")
class VenueMassCancelsTest {
    private static final Duration LIMIT = Duration.ofSeconds(15);
    private static final Instant MARK = Instant.parse("2026-03-02T12:00:00Z");

    private final SentOrders sent = new SentOrders();
    private TestVenue venue;
    private BrokerSession session;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        venue = TestVenue.start(folder, new VenueRules(1_000, Duration.ofSeconds(90)));
        session = new AlpacaConnector(() -> TestVenue.HTTP, new AlpacaEndpoints(venue.uri(), null), 7, LIMIT)
                .open(ACCOUNT, new BrokerCredentials("alice", "paper-alice"), new SessionListener() {
                    @Override
                    public void reported(ClientOrderId id, ExecutionReport report) {}

                    @Override
                    public void accountChanged() {}
                });
    }

    @AfterEach
    void stop() {
        session.close();
        venue.close();
    }

    private void send(
            String id,
            String symbol,
            Side side,
            OrderType type,
            @Nullable String limit,
            @Nullable String stop,
            Instant at)
            throws Exception {
        OrderRequest order = new OrderRequest(
                ALICE,
                new ClientOrderId(id),
                ACCOUNT,
                symbol,
                side,
                type,
                Decimal.of("1"),
                limit == null ? null : Decimal.of(limit),
                stop == null ? null : Decimal.of(stop),
                TimeInForce.DAY,
                3,
                Duration.ofMinutes(2),
                at);
        sent.send(order, LIMIT, () -> session.prepare(order).send(LIMIT, Optional::empty));
    }

    private void rest(String id, String symbol) throws Exception {
        send(id, symbol, Side.BUY, OrderType.LIMIT, "90", null, MARK.minusSeconds(1));
    }

    private Round round(MassCancel request, String... later) throws Exception {
        List<ClientOrderId> ids =
                List.of(later).stream().map(ClientOrderId::new).toList();
        return new VenueMassCancels(session, new VenueMassCancel(ACCOUNT, request, ids), sent).run();
    }

    private static MassCancel of(@Nullable String symbol, @Nullable Side side) {
        return MassCancel.of("c-1", ALICE, null, symbol, side, MARK);
    }

    private List<String> open() throws Exception {
        return session.openOrders().stream()
                .map(AccountOrder::clientOrderId)
                .sorted()
                .toList();
    }

    private static boolean isCanceled(MassCancelItem item) {
        return item.outcome() == Outcome.CANCELED;
    }

    @DisplayName("All orders of the account, made here or elsewhere, are canceled with one request")
    @Test
    void allAreCanceledAtOnce() throws Exception {
        for (int number = 1; number <= 20; number++) {
            rest("o-" + number, "AAPL");
        }
        venue.submit("alice", "paper-alice", """
                {"symbol": "MSFT", "side": "buy", "type": "limit", "qty": "3", "limit_price": "90",
                 "client_order_id": "by hand!", "time_in_force": "gtc"}""");
        int before = venue.requestsLeft("alice", "paper-alice");
        Round round = round(of(null, null));
        assertThat(before - venue.requestsLeft("alice", "paper-alice"))
                .as("requests")
                .isLessThan(10);
        assertThat(round.open()).isZero();
        assertThat(round.items()).hasSize(21).allMatch(VenueMassCancelsTest::isCanceled);
        assertThat(round.items()).extracting(MassCancelItem::clientOrderId).contains("o-20", "by hand!");
        assertThat(open()).isEmpty();
        assertThat(round(of(null, null)).items()).as("nothing is left").isEmpty();
    }

    @DisplayName("Only what the filter matches is canceled")
    @Test
    void filterIsRespected() throws Exception {
        rest("o-1", "AAPL");
        rest("o-2", "MSFT");
        send("o-3", "AAPL", Side.SELL, OrderType.LIMIT, "200", null, MARK.minusSeconds(1));
        assertThat(round(of("AAPL", Side.BUY)).items())
                .extracting(MassCancelItem::clientOrderId, MassCancelItem::outcome)
                .containsExactly(tuple("o-1", Outcome.CANCELED));
        assertThat(open()).containsExactly("o-2", "o-3");
    }

    @DisplayName("Orders that were accepted later stay: those that the request names, and those that this process sent")
    @Test
    void laterOrdersStay() throws Exception {
        rest("o-1", "AAPL");
        rest("o-2", "AAPL");
        rest("named", "AAPL");
        send("sent", "AAPL", Side.BUY, OrderType.LIMIT, "90", null, MARK.plusMillis(1));
        assertThat(round(of(null, null), "named").items())
                .extracting(MassCancelItem::clientOrderId)
                .containsExactlyInAnyOrder("o-1", "o-2");
        assertThat(open()).containsExactly("named", "sent");
    }

    @DisplayName("A stop that protects a position stays when exits are kept; one that would open one does not")
    @Test
    void protectingStopStays() throws Exception {
        send("long", "AAPL", Side.BUY, OrderType.MARKET, null, null, MARK.minusSeconds(1));
        Awaitility.await()
                .untilAsserted(
                        () -> assertThat(session.readAccount(false).positions()).hasSize(1));
        send("exit", "AAPL", Side.SELL, OrderType.STOP, null, "50", MARK.minusSeconds(1));
        send("entry", "MSFT", Side.BUY, OrderType.STOP, null, "900", MARK.minusSeconds(1));
        rest("more", "AAPL");
        KillSwitch stop = new KillSwitch(KillSwitch.Level.ALL, null, true, "test", "olga", MARK);
        Round kept = round(MassCancel.of("k-1", stop, true));
        assertThat(kept.open()).isZero();
        assertThat(kept.items())
                .extracting(MassCancelItem::clientOrderId, MassCancelItem::outcome)
                .containsExactlyInAnyOrder(
                        tuple("exit", Outcome.KEPT), tuple("entry", Outcome.CANCELED), tuple("more", Outcome.CANCELED));
        assertThat(open()).containsExactly("exit");
        assertThat(round(MassCancel.of("k-2", stop, false)).items()).allMatch(VenueMassCancelsTest::isCanceled);
        assertThat(open()).isEmpty();
    }
}
