package dev.berth.gateway;

import static dev.berth.gateway.Refusing.assertDenied;
import static dev.berth.gateway.Refusing.assertRefused;
import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static dev.berth.temporal.OrderSamples.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.activities.TestPostgres;
import dev.berth.routing.TestRedis;
import dev.berth.temporal.OrderSamples;
import dev.berth.temporal.gateway.FixJournalMessages.AppendFixMessageRequest;
import dev.berth.temporal.gateway.FixJournalMessages.FixAccountRequest;
import dev.berth.temporal.gateway.FixJournalMessages.FixExecutionsRequest;
import dev.berth.temporal.gateway.FixJournalMessages.FixNumbers;
import dev.berth.temporal.gateway.FixJournalMessages.FixOrderChange;
import dev.berth.temporal.gateway.FixJournalMessages.FixReceivedRequest;
import dev.berth.temporal.gateway.GatewayMethods;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.Execution;
import io.grpc.Status.Code;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/** The journal of FIX sessions, as the gateway's own role of PostgreSQL writes it. */
class FixJournalTest {
    @RegisterExtension
    static final TestRedis redis = new TestRedis();

    @RegisterExtension
    static final TestPostgres postgres = new TestPostgres();

    private static final AccountKey ACCOUNT = AccountKey.parse("fix/equity/paper/paper");
    private static final String ORDER = "8=FIX.4.4\u00019=5\u000135=D\u000111=o-1\u0001";

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

    private static FixNumbers open(TestTask worker) {
        return worker.call(GatewayMethods.OPEN_FIX_JOURNAL, new FixAccountRequest(ACCOUNT));
    }

    private static void append(TestTask worker, int number, @Nullable String text) {
        worker.call(GatewayMethods.APPEND_FIX_MESSAGE, new AppendFixMessageRequest(ACCOUNT, number, text));
    }

    private static void received(TestTask worker, int next, FixOrderChange... changes) {
        worker.call(GatewayMethods.COUNT_FIX_RECEIVED, new FixReceivedRequest(ACCOUNT, next, List.of(changes)));
    }

    private static Execution execution(String id, boolean busted) {
        return new Execution(id, 0, Decimal.of("4"), Decimal.of("0.98"), NOON, busted);
    }

    private static FixOrderChange change(String id, boolean working, Execution... executions) {
        return new FixOrderChange(id, working, List.of(executions));
    }

    private static List<Execution> executions(TestTask worker, String id) {
        return worker.call(GatewayMethods.READ_FIX_EXECUTIONS, new FixExecutionsRequest(ACCOUNT, id))
                .executions();
    }

    private static List<String> working(TestTask worker) {
        return worker.call(GatewayMethods.READ_FIX_WORKING_ORDERS, new FixAccountRequest(ACCOUNT))
                .clientOrderIds();
    }

    private static List<String> messages() {
        return postgres.client().queryForList("SELECT text FROM fix_messages ORDER BY serial", String.class);
    }

    @Tag("Y5")
    @DisplayName("Numbers outlive the process: the next epoch goes on where the former one stood")
    @Test
    void numbersOutliveTheProcess() {
        assertThat(open(alice)).isEqualTo(FixNumbers.FIRST);
        append(alice, 1, null);
        append(alice, 2, ORDER);
        received(alice, 3, change("o-1", true));
        assertThat(open(gateway.userTask(ALICE, 8))).isEqualTo(new FixNumbers(3, 3));
        assertThat(messages()).containsExactly(ORDER);
    }

    @Tag("Y5")
    @DisplayName("Every write of an earlier epoch is refused, whatever Redis knows")
    @Test
    void earlierEpochIsRefused() {
        open(alice);
        open(gateway.userTask(ALICE, 8));
        assertDenied(gateway, Refusal.SUPERSEDED, () -> append(alice, 1, ORDER));
        assertDenied(gateway, Refusal.SUPERSEDED, () -> received(alice, 2, change("o-1", true)));
        assertDenied(
                gateway,
                Refusal.SUPERSEDED,
                () -> alice.call(GatewayMethods.RESET_FIX_JOURNAL, new FixAccountRequest(ACCOUNT)));
        assertDenied(gateway, Refusal.SUPERSEDED, () -> open(alice));
        assertThat(messages()).isEmpty();
        assertThat(working(alice)).isEmpty();
    }

    @Tag("Y5")
    @DisplayName("Only the next number is stored, and none before the journal is open")
    @Test
    void onlyTheNextNumberIsStored() {
        assertInvalid(() -> append(alice, 1, ORDER));
        open(alice);
        assertInvalid(() -> append(alice, 2, ORDER));
        append(alice, 1, ORDER);
        assertInvalid(() -> append(alice, 1, ORDER));
        TestTask next = gateway.userTask(ALICE, 8);
        assertInvalid(() -> append(next, 2, ORDER));
        assertThat(messages()).containsExactly(ORDER);
    }

    @Tag("Y5")
    @DisplayName("A number that counts never counts less, and a reset begins both anew")
    @Test
    void numbersOnlyGrowUntilReset() {
        open(alice);
        append(alice, 1, null);
        received(alice, 5);
        received(alice, 4);
        assertThat(open(alice)).isEqualTo(new FixNumbers(2, 5));
        alice.call(GatewayMethods.RESET_FIX_JOURNAL, new FixAccountRequest(ACCOUNT));
        assertThat(open(alice)).isEqualTo(FixNumbers.FIRST);
    }

    @Tag("Y5")
    @DisplayName("Executions count once, with what was said of them last; working orders come and go")
    @Test
    void executionsAreStoredWithTheNumber() {
        open(alice);
        received(
                alice,
                4,
                change("o-1", true, execution("e-1", false)),
                change("o-2.r1", true),
                change("o-1", true, execution("e-1", true), execution("e-2", false)));
        received(alice, 4, change("o-1", true, execution("e-2", false)));
        assertThat(executions(alice, "o-1")).containsExactlyInAnyOrder(execution("e-1", true), execution("e-2", false));
        assertThat(executions(alice, "o-2.r1")).isEmpty();
        assertThat(working(alice)).containsExactly("o-1", "o-2.r1");
        received(alice, 6, change("o-1", true), change("o-1", false));
        assertThat(working(alice)).containsExactly("o-2.r1");
    }

    @Tag("X16")
    @Tag("Y5")
    @DisplayName("A worker reaches the journal of its own user's FIX accounts alone")
    @Test
    void journalIsTheOwnUsers() {
        open(alice);
        received(alice, 2, change("o-1", true, execution("e-1", false)));
        TestTask bob = gateway.userTask(BOB, 9);
        assertThat(open(bob)).isEqualTo(FixNumbers.FIRST);
        assertThat(executions(bob, "o-1")).isEmpty();
        assertThat(working(bob)).isEmpty();
        assertInvalid(() -> alice.call(GatewayMethods.OPEN_FIX_JOURNAL, new FixAccountRequest(OrderSamples.ACCOUNT)));
        TestTask pool = gateway.poolTask();
        assertDenied(gateway, Refusal.STATE, () -> open(pool));
    }

    @Tag("X32")
    @Tag("Y5")
    @DisplayName("What one user can store is bounded, and holds no password")
    @Test
    void whatIsStoredIsBounded() {
        assertInvalid(() -> append(alice, 1, "x".repeat(AppendFixMessageRequest.LONGEST + 1)));
        assertInvalid(() -> append(alice, 1, "8=FIX.4.4\u000135=A\u0001554=secret\u0001"));
        for (int number = 0; number < FixJournals.SESSIONS_OF_USER; number++) {
            AccountKey one = AccountKey.parse("fix/equity/paper/a-" + number);
            alice.call(GatewayMethods.OPEN_FIX_JOURNAL, new FixAccountRequest(one));
        }
        assertRefused(gateway, Refusal.QUANTITY, Code.RESOURCE_EXHAUSTED, () -> open(alice));
    }

    @Tag("X32")
    @Tag("Y5")
    @DisplayName("Of messages and executions the newest stay, and messages for two days")
    @Test
    void olderOnesAreDropped() {
        open(alice);
        postgres.client().update("""
                INSERT INTO fix_messages (user_id, account, number, text, at)
                SELECT 'alice', ?, n, 'm-' || n, now() - CASE n WHEN 10050 THEN interval '3 days' ELSE interval '1 h' END
                FROM generate_series(1, 10050) n
                """, ACCOUNT.toString());
        postgres.client().update("""
                INSERT INTO fix_executions (user_id, account, client_order_id, execution_id, content, at)
                SELECT 'alice', ?, 'o-1', 'e-' || n, '{}', now() + n * interval '1 ms' FROM generate_series(1, 10050) n
                """, ACCOUNT.toString());
        open(alice);
        assertThat(messages()).hasSize(FixJournals.KEPT - 1).doesNotContain("m-50", "m-10050");
        assertThat(postgres.client().queryForObject("SELECT count(*) FROM fix_executions", Integer.class))
                .isBetween(FixJournals.KEPT, FixJournals.KEPT + 1);
    }

    @Tag("X16")
    @DisplayName("The gateway's role of PostgreSQL reads and writes these tables and no others")
    @Test
    void roleReachesNoOtherTable() {
        JdbcTemplate role = new JdbcTemplate(postgres.as("berth_gateway"));
        List<String> tables = postgres.owner()
                .queryForList("SELECT tablename FROM pg_tables WHERE schemaname = 'public'", String.class);
        assertThat(tables).contains("orders", "accounts", "fix_sessions");
        for (String table : tables) {
            if (table.startsWith("fix_") || table.equals("order_intents")) {
                role.queryForList("SELECT * FROM " + table);
            } else {
                assertThatThrownBy(() -> role.queryForList("SELECT * FROM " + table))
                        .isInstanceOf(DataAccessException.class)
                        .rootCause()
                        .hasMessageContaining("permission denied");
            }
        }
    }

    @Tag("Y5")
    @DisplayName("Without PostgreSQL nothing is stored, and the worker is told so")
    @Test
    void unreachableDatabaseIsUnavailable() {
        try (GatewayFixture without = new GatewayFixture(redis, temporal.stubs())) {
            TestTask worker = without.userTask(ALICE, 7);
            assertThat(Refusing.statusOf(() -> open(worker)).getCode()).isEqualTo(Code.UNAVAILABLE);
        }
    }

    private static void assertInvalid(ThrowingCallable call) {
        assertThatThrownBy(call)
                .satisfiesAnyOf(
                        refused -> assertThat(refused).hasMessageContaining("INVALID_ARGUMENT"),
                        refused -> assertThat(refused).isInstanceOf(IllegalArgumentException.class));
    }
}
