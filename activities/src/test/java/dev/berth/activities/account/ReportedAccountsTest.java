package dev.berth.activities.account;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static dev.berth.temporal.OrderSamples.NOON;
import static dev.berth.temporal.OrderSamples.order;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.activities.TestPostgres;
import dev.berth.activities.account.AccountReadModel.ActivityPosition;
import dev.berth.activities.broker.AccountStore;
import dev.berth.activities.order.PostgresOrderRecords;
import dev.berth.activities.order.UserEvent.AccountEvent;
import dev.berth.activities.order.UserEventLog;
import dev.berth.routing.TestRedis;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.SignedDecimal;
import dev.berth.workflows.UserId;
import dev.berth.workflows.account.AccountActivity;
import dev.berth.workflows.account.AccountBalances;
import dev.berth.workflows.account.AccountPosition;
import dev.berth.workflows.account.AccountReport;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.HistoryPosition;
import dev.berth.workflows.order.OrderState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.dao.DataAccessException;

/** Reports on their way from Redis to PostgreSQL, and what is read of them. */
@Tag("T1")
class ReportedAccountsTest {
    private static final AccountKey OTHER = AccountKey.parse("alpaca/equity/paper/other");

    @RegisterExtension
    private static final TestPostgres postgres = new TestPostgres();

    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    private final AccountReadModel accounts = new AccountReadModel(postgres.client());
    private final ReportedAccounts reports =
            new ReportedAccounts(redis.commands(), accounts, new AccountStore(postgres.client(), true));
    private final UserEventLog log = new UserEventLog(postgres.client(), postgres.transactions());

    private static AccountReport report(Instant asOf, String cash, AccountActivity... activities) {
        AccountBalances balances = new AccountBalances("USD", SignedDecimal.of(cash), null, null, List.of(), List.of());
        return new AccountReport(ACCOUNT, asOf, balances, List.of(), null, List.of(activities));
    }

    private static AccountActivity fill(String id, Instant at) {
        return new AccountActivity(id, "FILL", at, "AAPL", "buy", SignedDecimal.of("1"), null, null, "v-1", null, null);
    }

    /** As a gateway does. */
    private static void put(UserId userId, long epoch, AccountReport report) {
        String reported = RedisKeys.reportedAccount(userId, report.account());
        redis.commands().rpush(RedisKeys.accountReports(reported), epoch + " " + Json.write(report));
        redis.commands().zadd(RedisKeys.REPORTED_ACCOUNTS, 1, reported);
    }

    private String cash(UserId userId) {
        return accounts.find(userId, ACCOUNT, AccountPart.BALANCES)
                .map(found -> found.content().cash() + " as of " + found.asOf())
                .orElse("none");
    }

    @DisplayName("The newest report counts, of the newest epoch, in whatever order they come")
    @Test
    void newestReportCounts() {
        assertThat(cash(ALICE)).isEqualTo("none");
        put(ALICE, 7, report(NOON, "100"));
        put(ALICE, 7, report(NOON.plusSeconds(2), "300"));
        put(ALICE, 7, report(NOON.plusSeconds(1), "200"));
        assertThat(reports.record(10)).isEqualTo(1);
        assertThat(cash(ALICE)).isEqualTo("300 as of " + NOON.plusSeconds(2));
        assertThat(cash(BOB)).isEqualTo("none");
        assertThat(redis.commands().keys("account:*")).isEmpty();

        accounts.record(ALICE, 6, report(NOON.plusSeconds(9), "600"));
        assertThat(cash(ALICE)).startsWith("300 ");
        // The clock of the next worker's host is behind.
        accounts.record(ALICE, 8, report(NOON.minusSeconds(9), "800"));
        assertThat(cash(ALICE)).startsWith("800 ");
    }

    @DisplayName("A part that a report leaves out stays as it was; an empty one is empty")
    @Test
    void absentPartStays() {
        AccountPosition position = new AccountPosition(
                "AAPL", "us_equity", SignedDecimal.of("-3"), Decimal.of("3"), Decimal.of("99.5"), "USD", null);
        accounts.record(ALICE, 7, new AccountReport(ACCOUNT, NOON, null, List.of(position), List.of(), List.of()));
        accounts.record(ALICE, 7, new AccountReport(ACCOUNT, NOON.plusSeconds(1), null, null, null, List.of()));
        assertThat(accounts.find(ALICE, ACCOUNT, AccountPart.POSITIONS)
                        .orElseThrow()
                        .content())
                .containsExactly(position);
        assertThat(accounts.find(ALICE, ACCOUNT, AccountPart.ORDERS)
                        .orElseThrow()
                        .content())
                .isEmpty();
        assertThat(accounts.find(ALICE, ACCOUNT, AccountPart.BALANCES)).isEmpty();
        assertThat(accounts.find(ALICE, OTHER, AccountPart.POSITIONS)).isEmpty();
    }

    @DisplayName("The user's stream shows each change once, and nothing of a report that says the same")
    @Test
    void streamShowsChanges() {
        put(ALICE, 7, report(NOON, "100"));
        reports.record(10);
        long first = log.last(ALICE);
        put(ALICE, 7, report(NOON.plusSeconds(1), "100"));
        reports.record(10);
        assertThat(log.after(ALICE, first, 10)).isEmpty();
        assertThat(cash(ALICE)).isEqualTo("100 as of " + NOON.plusSeconds(1));

        put(ALICE, 7, report(NOON.plusSeconds(2), "200"));
        reports.record(10);
        assertThat(log.after(ALICE, first, 10)).singleElement().isInstanceOfSatisfying(AccountEvent.class, event -> {
            assertThat(event.account()).isEqualTo(ACCOUNT);
            assertThat(AccountPart.BALANCES.reported(event).content().cash()).isEqualTo(SignedDecimal.of("200"));
        });
    }

    @DisplayName("A report that PostgreSQL does not take waits, is tried again after 10 s, and holds up no other")
    @Test
    void refusedReportHoldsUpNoOther() {
        String reported = RedisKeys.reportedAccount(ALICE, ACCOUNT);
        // jsonb stores no NUL.
        put(ALICE, 7, report(NOON, "100", fill("a\u0000", NOON)));
        redis.commands().zadd(RedisKeys.REPORTED_ACCOUNTS, 0, reported);
        put(BOB, 3, report(NOON, "200"));
        assertThat(reports.record(10)).isEqualTo(2);
        assertThat(cash(ALICE)).isEqualTo("none");
        assertThat(cash(BOB)).startsWith("200 ");

        assertThat(reports.record(10)).as("claimed").isZero();
        assertThat(redis.commands().zscore(RedisKeys.REPORTED_ACCOUNTS, reported) - System.currentTimeMillis())
                .isBetween(1_000.0, 10_000.0);
        assertThatThrownBy(() -> reports.record(ALICE, ACCOUNT)).isInstanceOf(DataAccessException.class);
        assertThat(redis.commands().llen(RedisKeys.accountReports(reported))).isOne();
    }

    @DisplayName("What a replica took and did not live to record, another one records")
    @Test
    void lostClaimEnds() {
        put(ALICE, 7, report(NOON, "100"));
        String reported = RedisKeys.reportedAccount(ALICE, ACCOUNT);
        redis.commands().zadd(RedisKeys.REPORTED_ACCOUNTS, (double) System.currentTimeMillis() + 60_000, reported);
        assertThat(reports.record(10)).isZero();
        redis.commands().zadd(RedisKeys.REPORTED_ACCOUNTS, (double) System.currentTimeMillis() - 1, reported);
        assertThat(reports.record(10)).isOne();
        assertThat(cash(ALICE)).startsWith("100 ");
    }

    @DisplayName("An account that its user does not have is not kept")
    @Test
    void inventedAccountIsDropped() {
        put(ALICE, 7, new AccountReport(OTHER, NOON, null, List.of(), null, List.of()));
        reports.record(10);
        assertThat(accounts.find(ALICE, OTHER, AccountPart.POSITIONS)).isEmpty();
        assertThat(redis.commands().keys("account:*")).isEmpty();
    }

    @DisplayName("Two who record one account at the same time do not wait for each other")
    @Test
    void twoRecordAtOnce() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            List<Callable<Void>> both = new ArrayList<>();
            for (int second = 0; second < 200; second++) {
                AccountReport report = report(NOON.plusSeconds(second / 2), Integer.toString(second));
                both.add(() -> {
                    accounts.record(ALICE, 7, report);
                    return null;
                });
            }
            for (Future<Void> one : threads.invokeAll(both)) {
                one.get();
            }
        }
        assertThat(cash(ALICE)).endsWith(" as of " + NOON.plusSeconds(99));
    }

    @DisplayName("What cannot be read is dropped, and holds up nothing")
    @Test
    void unreadableReportIsDropped() {
        redis.commands().zadd(RedisKeys.REPORTED_ACCOUNTS, 0, "no account");
        redis.commands().rpush(RedisKeys.accountReports(RedisKeys.reportedAccount(ALICE, ACCOUNT)), "7 {", "x");
        put(ALICE, 7, report(NOON, "100"));
        reports.record(10);
        assertThat(cash(ALICE)).startsWith("100 ");
        assertThat(redis.commands().keys("account:*")).isEmpty();
    }

    @DisplayName("An activity is kept once, and pages go through all of them, newest first")
    @Test
    void activitiesArePaged() {
        accounts.record(ALICE, 7, report(NOON, "1", fill("a", NOON), fill("b", NOON), fill("c", NOON.plusSeconds(1))));
        accounts.record(ALICE, 8, report(NOON, "1", fill("b", NOON), fill("d", NOON.plusSeconds(2))));
        assertThat(accounts.activities(ALICE, ACCOUNT, null, 10))
                .extracting(AccountActivity::activityId)
                .containsExactly("d", "c", "b", "a");
        List<AccountActivity> first = accounts.activities(ALICE, ACCOUNT, null, 3);
        AccountActivity last = first.getLast();
        assertThat(accounts.activities(ALICE, ACCOUNT, new ActivityPosition(last.at(), last.activityId()), 3))
                .extracting(AccountActivity::activityId)
                .containsExactly("a");
        assertThat(accounts.activities(BOB, ACCOUNT, null, 10)).isEmpty();
    }

    @Tag("T2")
    @DisplayName("An order is Berth's own when the user submitted it under that id, in this account")
    @Test
    void ownOrdersAreKnown() {
        PostgresOrderRecords records =
                new PostgresOrderRecords(postgres.client(), postgres.transactions(), redis.commands());
        OrderState accepted = OrderState.accepted(order(ALICE, "o-1", NOON));
        records.record(
                ALICE, accepted.request().clientOrderId(), List.of(accepted), List.of(), new HistoryPosition("run", 3));
        List<ClientOrderId> ids = IntStream.rangeClosed(1, 2)
                .mapToObj(number -> new ClientOrderId("o-" + number))
                .toList();
        assertThat(accounts.own(ALICE, ACCOUNT, ids)).containsExactly(new ClientOrderId("o-1"));
        assertThat(accounts.own(ALICE, OTHER, ids)).isEmpty();
        assertThat(accounts.own(BOB, ACCOUNT, ids)).isEmpty();
    }
}
