package dev.berth.gateway;

import static dev.berth.gateway.Refusing.assertDenied;
import static dev.berth.gateway.Refusing.assertRefused;
import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.TestPostgres;
import dev.berth.routing.TestRedis;
import dev.berth.temporal.gateway.FixJournalMessages.AppendFixMessageRequest;
import dev.berth.temporal.gateway.FixJournalMessages.FixAccountRequest;
import dev.berth.temporal.gateway.GatewayMethods;
import dev.berth.temporal.gateway.OrderIntentMessages.ClaimsQuery;
import dev.berth.temporal.gateway.OrderIntentMessages.IntentOutcomeRequest;
import dev.berth.temporal.gateway.OrderIntentMessages.IntentQuery;
import dev.berth.temporal.gateway.OrderIntentMessages.IntentRequest;
import dev.berth.temporal.gateway.OrderIntentMessages.OrderClaim;
import dev.berth.temporal.gateway.OrderIntentMessages.OrderIntent;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.OrderTerms;
import dev.berth.workflows.order.Side;
import io.grpc.Status.Code;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a worker is about to write, as the gateway's own role of PostgreSQL stores it. */
@Tag("Y7")
class OrderIntentTest {
    @RegisterExtension
    static final TestRedis redis = new TestRedis();

    @RegisterExtension
    static final TestPostgres postgres = new TestPostgres();

    private static final AccountKey ACCOUNT = AccountKey.parse("fix/equity/paper/paper");
    private static final OrderTerms TERMS = new OrderTerms(Decimal.of("10"), Decimal.of("1.25"), null);

    private final FakeTemporal temporal = new FakeTemporal();
    private GatewayFixture gateway;
    private TestTask alice;

    @BeforeEach
    void start() {
        gateway = new GatewayFixture(redis, temporal.stubs(), postgres.as("berth_gateway"));
        alice = gateway.userTask(ALICE, 7);
    }

    @AfterEach
    void stop() {
        gateway.close();
        temporal.close();
    }

    /** The order that stands before it. */
    private static @Nullable String record(TestTask worker, String id, String symbol, Side side) {
        return worker.call(GatewayMethods.RECORD_INTENT, new IntentRequest(ACCOUNT, id, symbol, side, TERMS))
                .inDoubt();
    }

    private static void close(TestTask worker, String id, @Nullable String venueOrderId) {
        worker.call(GatewayMethods.CLOSE_INTENT, new IntentOutcomeRequest(id, venueOrderId));
    }

    private static Optional<OrderIntent> read(TestTask worker, String id) {
        return Optional.ofNullable(
                worker.call(GatewayMethods.READ_INTENT, new IntentQuery(id)).intent());
    }

    private static void assertIntended(TestTask worker, String id, @Nullable String venueOrderId) {
        assertThat(read(worker, id).orElseThrow().venueOrderId()).isEqualTo(venueOrderId);
    }

    private static List<OrderClaim> claims(TestTask worker, AccountKey account, String... venueOrderIds) {
        return worker.call(GatewayMethods.READ_CLAIMS, new ClaimsQuery(account, List.of(venueOrderIds)))
                .claims();
    }

    private static void row(String id, String status) {
        postgres.client().update("""
                INSERT INTO orders (user_id, client_order_id, request_hash, symbol, status, revision, submitted_at, state)
                VALUES ('alice', ?, '', 'AAPL', ?, 1, now(), '{}')
                """, id, status);
    }

    @Test
    @DisplayName("An order without an intent was not written; with one it may be, under the id that the broker gave")
    void intentTellsWhetherOrderMayBeWritten() {
        assertThat(read(alice, "o-1")).isEmpty();
        assertThat(record(alice, "o-1", "AAPL", Side.BUY)).isNull();
        assertIntended(alice, "o-1", null);
        close(alice, "o-1", "v-1");
        assertIntended(alice, "o-1", "v-1");
        assertThat(read(alice, "o-1.r1")).isEmpty();
        assertThat(record(alice, "o-1.r1", "AAPL", Side.BUY)).isNull();
        close(alice, "o-1.r1", null);
        assertThat(read(alice, "o-1.r1")).isEmpty();
    }

    @Test
    @DisplayName("An order in doubt holds those of its account, symbol and side, and no others")
    void orderInDoubtHoldsOthers() {
        assertThat(record(alice, "o-1", "AAPL", Side.BUY)).isNull();
        assertThat(record(alice, "o-2", "AAPL", Side.BUY)).isEqualTo("o-1");
        assertThat(read(alice, "o-2")).isEmpty();
        assertThat(record(alice, "o-3", "AAPL", Side.SELL)).isNull();
        assertThat(record(alice, "o-4", "MSFT", Side.BUY)).isNull();
        assertThat(record(gateway.userTask(BOB, 7), "o-5", "AAPL", Side.BUY)).isNull();
        // The same order may be tried again.
        assertThat(record(alice, "o-1", "AAPL", Side.BUY)).isNull();
        close(alice, "o-1", "v-1");
        assertThat(record(alice, "o-2", "AAPL", Side.BUY)).isNull();
    }

    @ParameterizedTest
    @DisplayName("An order whose own row tells its outcome is not in doubt, also without the broker's id")
    @CsvSource({"UNKNOWN, o-1", "DISPATCHED, o-1", "PENDING, o-1", "NEW,", "FILLED,", "FAILED,", "PENDING_REPLACE,"})
    void rowOfOrderEndsDoubt(String status, @Nullable String inDoubt) {
        row("o-1", status);
        assertThat(record(alice, "o-1", "AAPL", Side.BUY)).isNull();
        assertThat(record(alice, "o-2", "AAPL", Side.BUY)).isEqualTo(inDoubt);
    }

    @Test
    @DisplayName("A replacement in doubt holds others until its order has settled it")
    void replacementInDoubtHoldsOthers() {
        row("o-1", "PENDING_REPLACE");
        assertThat(record(alice, "o-1.r1", "AAPL", Side.BUY)).isNull();
        assertThat(record(alice, "o-2", "AAPL", Side.BUY)).isEqualTo("o-1");
    }

    @Test
    @Tag("X32")
    @DisplayName("What one user can store is bounded")
    void whatIsStoredIsBounded() {
        postgres.client().update("""
                INSERT INTO order_intents (user_id, client_order_id, version, account, symbol, side, quantity, epoch, intended_at)
                SELECT 'alice', 'x-' || n, 0, '', 'S' || n, 'BUY', 1, 7, now() FROM generate_series(1, ?) n
                """, OrderIntents.MOST_OPEN - 1);
        assertThat(record(alice, "o-1", "AAPL", Side.BUY)).isNull();
        assertRefused(gateway, Refusal.QUANTITY, Code.RESOURCE_EXHAUSTED, () -> record(alice, "o-2", "MSFT", Side.BUY));
        assertThat(record(gateway.userTask(BOB, 7), "o-2", "MSFT", Side.BUY)).isNull();
    }

    @Test
    @DisplayName("What an earlier epoch wrote, a later one finds and does not withdraw; the earlier one is refused")
    void laterEpochKeepsIntent() {
        record(alice, "o-1", "AAPL", Side.BUY);
        TestTask later = gateway.userTask(ALICE, 8);
        assertIntended(later, "o-1", null);
        close(later, "o-1", null);
        assertIntended(later, "o-1", null);
        redis.commands().set(RedisKeys.epoch(ALICE), "8");
        assertDenied(gateway, Refusal.SUPERSEDED, () -> record(alice, "o-9", "MSFT", Side.BUY));
        assertDenied(gateway, Refusal.SUPERSEDED, () -> close(alice, "o-1", null));
        assertIntended(later, "o-1", null);
    }

    @Test
    @DisplayName("An intent has the terms that were about to be written, and when")
    void intentHasTerms() {
        Instant before = Instant.now().minusSeconds(1);
        record(alice, "o-1", "AAPL", Side.SELL);
        OrderIntent intent = read(alice, "o-1").orElseThrow();
        assertThat(intent.symbol()).isEqualTo("AAPL");
        assertThat(intent.side()).isEqualTo(Side.SELL);
        assertThat(intent.terms()).isEqualTo(TERMS);
        assertThat(intent.at()).isBetween(before, Instant.now().plusSeconds(1));
    }

    @Test
    @DisplayName("The broker's id tells its order, in the account alone; a later epoch may name it")
    void venueOrderIdTellsOrder() {
        record(alice, "o-1", "AAPL", Side.BUY);
        TestTask later = gateway.userTask(ALICE, 8);
        close(later, "o-1", "v-1");
        record(later, "o-2", "AAPL", Side.BUY);
        close(later, "o-2", "v-2");
        row("o-2", "FILLED");
        assertThat(claims(later, ACCOUNT, "v-1", "v-2", "v-3"))
                .containsExactlyInAnyOrder(new OrderClaim("v-1", "o-1", false), new OrderClaim("v-2", "o-2", true));
        assertThat(claims(later, AccountKey.parse("fix/equity/paper/other"), "v-1"))
                .isEmpty();
        assertThat(claims(gateway.userTask(BOB, 7), ACCOUNT, "v-1")).isEmpty();
    }

    private static void append(TestTask worker, int number, String id) {
        worker.call(
                GatewayMethods.APPEND_FIX_MESSAGE,
                new AppendFixMessageRequest(ACCOUNT, number, "35=D\u000111=" + id + "\u000155=AAPL\u0001"));
    }

    private static boolean isUnwritten(TestTask worker, String id) {
        return read(worker, id).orElseThrow().unwritten();
    }

    @Test
    @Tag("Y5")
    @DisplayName("What the FIX journal has no message of was not written, once the journal is this epoch's")
    void orderWithoutMessageWasNotWritten() {
        alice.call(GatewayMethods.OPEN_FIX_JOURNAL, new FixAccountRequest(ACCOUNT));
        append(alice, 1, "o-1");
        record(alice, "o-1", "AAPL", Side.BUY);
        record(alice, "o-2", "MSFT", Side.BUY);
        append(alice, 2, "o-2");
        record(alice, "o-22", "GOOG", Side.BUY);
        TestTask later = gateway.userTask(ALICE, 8);
        assertThat(isUnwritten(later, "o-22")).isFalse();
        later.call(GatewayMethods.OPEN_FIX_JOURNAL, new FixAccountRequest(ACCOUNT));
        // An earlier attempt has a message, which its withdrawn intent proves unwritten.
        assertThat(isUnwritten(later, "o-1")).isTrue();
        assertThat(isUnwritten(later, "o-2")).isFalse();
        assertThat(isUnwritten(later, "o-22")).isTrue();
    }
}
