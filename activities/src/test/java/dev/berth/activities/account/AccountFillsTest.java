package dev.berth.activities.account;

import static dev.berth.activities.account.ExecutionSamples.activity;
import static dev.berth.activities.account.ExecutionSamples.busted;
import static dev.berth.activities.account.ExecutionSamples.execution;
import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static dev.berth.temporal.OrderSamples.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.activities.TestPostgres;
import dev.berth.routing.TestRedis;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.SignedDecimal;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.ExecutionFee;
import dev.berth.workflows.order.Side;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("T9")
class AccountFillsTest {
    @RegisterExtension
    private static final TestPostgres postgres = new TestPostgres();

    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    private final AccountFills fills = new AccountFills(postgres.client());
    private final ExecutionSamples samples = new ExecutionSamples(postgres, redis);

    private static AccountFillQuery query(UserId userId, int limit) {
        return new AccountFillQuery(userId, null, null, null, null, limit, null);
    }

    private static AccountFillQuery of(
            @Nullable AccountKey account, @Nullable String symbol, @Nullable Instant from, @Nullable Instant to) {
        return new AccountFillQuery(ALICE, account, symbol, from, to, 10, null);
    }

    private List<String> ids(AccountFillQuery query) {
        return fills.page(query).stream().map(AccountFill::executionId).toList();
    }

    private List<String> pages(int limit) {
        List<String> ids = new ArrayList<>();
        AccountFillQuery query = query(ALICE, limit);
        List<AccountFill> page = fills.page(query);
        while (!page.isEmpty()) {
            page.forEach(fill -> ids.add(fill.executionId()));
            page = fills.page(query.behind(page.getLast()));
        }
        return ids;
    }

    @Test
    @DisplayName("Own executions come from the ledger, foreign ones from the activities, each once, newest first")
    void eachExecutionIsShownOnce() {
        samples.order("o-1", execution("own", NOON));
        samples.report(
                NOON.plusSeconds(9),
                "1",
                List.of(),
                activity("own", NOON, "buy", "1", "100", "v-1"),
                activity("foreign", NOON.plusSeconds(1), "sell_short", "2.5", "99.5", "v-2"));
        assertThat(fills.page(query(ALICE, 10)))
                .extracting(
                        AccountFill::executionId,
                        fill -> String.valueOf(fill.clientOrderId()),
                        AccountFill::venueOrderId,
                        AccountFill::symbol,
                        AccountFill::side,
                        AccountFill::quantity,
                        AccountFill::price,
                        AccountFill::account)
                .containsExactly(
                        tuple(
                                "foreign",
                                "null",
                                "v-2",
                                "AAPL",
                                Side.SELL,
                                Decimal.of("2.5"),
                                Decimal.of("99.5"),
                                ACCOUNT.toString()),
                        tuple(
                                "own",
                                "o-1",
                                "v-1",
                                "AAPL",
                                Side.BUY,
                                Decimal.of("1"),
                                Decimal.of("100"),
                                ACCOUNT.toString()));
        assertThat(fills.page(query(BOB, 10))).isEmpty();
    }

    @Test
    @DisplayName("Account, symbol and times narrow the list; from is included, to is not")
    void conditionsNarrow() {
        samples.order("o-1", execution("first", NOON), execution("second", NOON.plusSeconds(1)));
        samples.order("o-2", "MSFT", execution("other", NOON));
        samples.report(
                NOON.plusSeconds(9), "1", List.of(), activity("foreign", NOON.plusSeconds(2), "buy", "1", "1", "v-9"));
        assertThat(ids(of(null, null, null, null))).containsExactly("foreign", "second", "other", "first");
        assertThat(ids(of(ACCOUNT, "AAPL", null, null))).containsExactly("foreign", "second", "first");
        assertThat(ids(of(AccountKey.parse("alpaca/equity/paper/other"), null, null, null)))
                .isEmpty();
        assertThat(ids(of(null, "AAPL", NOON.plusSeconds(1), NOON.plusSeconds(2))))
                .containsExactly("second");
    }

    @Test
    @DisplayName("Pages have every execution once, whatever their size, also of executions at the same time")
    void pagesHaveEachOnce() {
        List<Execution> own = new ArrayList<>();
        for (int number = 0; number < 7; number++) {
            own.add(execution("own-" + number, NOON.plusSeconds(number / 3)));
        }
        samples.order("o-1", own.toArray(Execution[]::new));
        samples.order("o-2", execution("own-1", NOON));
        samples.report(
                NOON.plusSeconds(9),
                "1",
                List.of(),
                activity("foreign-1", NOON, "buy", "1", "1", "v-2"),
                activity("foreign-2", NOON.plusSeconds(1), "buy", "1", "1", "v-2"),
                activity("foreign-3", NOON.plusSeconds(1), "buy", "1", "1", "v-3"));
        List<String> all = ids(query(ALICE, 100));
        assertThat(all).hasSize(11);
        for (int limit = 1; limit < 12; limit++) {
            assertThat(pages(limit)).as("limit %s", limit).isEqualTo(all);
        }
    }

    @Test
    @DisplayName("A bust is shown with the executions, and with its time in the ledger")
    void bustIsShown() {
        Execution execution = execution("own", NOON);
        samples.order("o-1", execution);
        samples.order("o-1", execution, busted(execution, NOON.plusSeconds(60)));
        assertThat(fills.page(query(ALICE, 10)))
                .extracting(AccountFill::executionId, AccountFill::at, AccountFill::busted)
                .containsExactly(tuple("own", NOON, true));
        assertThat(postgres.client().queryForObject("SELECT busted_at FROM fills", Timestamp.class))
                .isEqualTo(Timestamp.from(NOON.plusSeconds(60)));
    }

    @Test
    @DisplayName("A fee is the broker's, may come later than its execution, and is no correction")
    void feeIsTold() {
        Execution bare = execution("own", NOON);
        samples.order("o-1", bare);
        long position = position();
        Execution withFee = new Execution(
                "own",
                0,
                bare.quantity(),
                bare.price(),
                NOON,
                false,
                new ExecutionFee(SignedDecimal.of("0.0025"), "USD"),
                null);
        samples.order("o-1", withFee);
        samples.order("o-1", bare);
        assertThat(fills.page(query(ALICE, 10))).singleElement().satisfies(fill -> {
            assertThat(fill.fee()).isEqualTo(withFee.fee());
            assertThat(fill.venueOrderId()).isEqualTo("v-1");
        });
        assertThat(position()).isEqualTo(position);
    }

    private long position() {
        return String.valueOf(postgres.client().queryForObject("SELECT max(position) FROM fills", Long.class))
                .transform(Long::parseLong);
    }
}
