package dev.berth.acceptance.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.acceptance.rest.AccountsClient;
import dev.berth.acceptance.rest.AuditRecord;
import dev.berth.acceptance.rest.ExplainedOrder;
import dev.berth.acceptance.rest.ExplainedWorker;
import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.JsonRecords;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.ResultPage;
import dev.berth.acceptance.rest.Tokens;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.BerthCommand;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.FinishedCommand;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who did what, over REST and at the command line. */
@Order(1)
@ExtendWith(StackExtension.class)
class AuditTest {
    private static final String OTTOS = "/audit?actor=audit-otto&limit=2";
    private static final String LIMITS = "/limits/audit-alice/alpaca/equity/paper/paper";
    private static final String SECRET = "audit-secret-0815";

    private final Stack stack;
    private final FleetOperator operator;
    private final BerthCommand berth;

    AuditTest(Stack stack) throws Exception {
        this.stack = stack;
        this.operator = FleetOperator.of(stack);
        this.berth = new BerthCommand(stack);
    }

    private record PrintedRows(List<AuditRecord> items) {}

    private record Verification(Fault fault) {}

    private record Fault(String kind, String row) {}

    private JsonResponse audit(String query) throws Exception {
        JsonResponse answer = operator.get("/audit?limit=1000&" + query);
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(200);
        return answer;
    }

    /** Newest first. */
    private List<AuditRecord> rows(String query) throws Exception {
        return audit(query).page(AuditRecord.class).items();
    }

    /** Oldest first. */
    private List<String> actions(String user) throws Exception {
        return rows("userId=" + user).reversed().stream()
                .map(AuditRecord::action)
                .toList();
    }

    /** As superuser: nothing in the database stops that one. */
    private void sql(String text) throws SQLException {
        try (Connection postgres = stack.openPostgres();
                Statement statement = postgres.createStatement()) {
            statement.execute(text);
        }
    }

    private static void accepted(JsonResponse answer) {
        assertThat(answer.status()).as("%s", answer.body()).isBetween(200, 204);
    }

    private static void refused(JsonResponse answer) {
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(503);
        assertThat(answer.text("type")).isEqualTo("urn:berth:problem:unavailable");
    }

    @Test
    @Tag("X29")
    @DisplayName("Every change, command and read of an operator, and a user's change of credentials, has its row")
    void callsAreRecorded() throws Exception {
        Trader trader = Eventually.trading(stack, "audit-alice");
        AccountsClient accounts = new AccountsClient(stack, trader);
        operator.killSwitch("user:audit-alice", true);
        operator.killSwitch("user:audit-alice", false);
        accepted(operator.put(LIMITS, "{\"maxQuantity\":\"50\"}"));
        accepted(operator.get(LIMITS));
        accepted(operator.get("/workers/audit-alice"));
        accepted(operator.get("/explain/audit-alice"));
        accepted(operator.get("/orders?userId=audit-alice"));
        accepted(operator.get("/attention?userId=audit-alice"));
        accepted(operator.tell("/workers/audit-alice:reload-credentials", "new keys"));
        accepted(operator.tell("/workers/audit-alice:stop", "enough"));
        accepted(operator.tell("/workers/audit-alice:suspend", "margin call"));
        accepted(operator.tell("/workers/audit-alice:resume", "paid"));
        accepted(operator.post(
                "/attention:requeue", "{\"ids\":[\"audit-alice:none\"],\"dryRun\":false,\"reason\":\"again\"}"));
        accepted(accounts.put("second", "audit-key", SECRET));
        accepted(accounts.delete("second"));
        assertThat(actions("audit-alice"))
                .containsExactly(
                        "SET_KILL_SWITCH",
                        "SET_KILL_SWITCH",
                        "SET_LIMITS",
                        "READ_LIMITS",
                        "READ_WORKER",
                        "EXPLAIN_WORKER",
                        "READ_ORDERS",
                        "READ_ATTENTION",
                        "RELOAD_CREDENTIALS",
                        "STOP_WORKER",
                        "SUSPEND_WORKER",
                        "RESUME_WORKER",
                        "REQUEUE_ORDER",
                        "STORE_CREDENTIALS",
                        "REMOVE_CREDENTIALS");
        AuditRecord suspension =
                rows("userId=audit-alice&action=SUSPEND_WORKER").getFirst();
        assertThat(suspension.actor()).isEqualTo("olga");
        assertThat(suspension.scope()).isEqualTo("fleet");
        assertThat(suspension.outcome()).isEqualTo("DONE");
        assertThat(suspension.detail()).isEqualTo("margin call");
        assertThat(suspension.at()).isCloseTo(Instant.now(), within(Duration.ofMinutes(2)));
        AuditRecord limits = rows("userId=audit-alice&action=SET_LIMITS").getFirst();
        assertThat(limits.outcome()).isEqualTo("DONE");
        assertThat(limits.detail()).contains("alpaca/equity/paper/paper", "maxQuantity", "50");
        AuditRecord stored = rows("userId=audit-alice&action=STORE_CREDENTIALS").getFirst();
        assertThat(stored.actor()).isEqualTo("audit-alice");
        assertThat(stored.scope()).isEqualTo(Tokens.TRADER);
        assertThat(stored.chain()).isEqualTo("USERS");
        assertThat(suspension.chain()).isEqualTo("OPERATORS");
        assertThat(audit("").raw().body()).doesNotContain(SECRET, "audit-key");
    }

    @Test
    @Tag("X29")
    @DisplayName("A call on all users has no user in its row; a request id is kept; pages follow each other")
    void auditIsSearchedPageByPage() throws Exception {
        accepted(operator.tell("/workers:suspend", "exchange is down"));
        accepted(operator.tell("/workers:resume", "it is back"));
        String otto = "Bearer " + new Tokens(stack).sign("audit-otto", "fleet");
        for (int times = 0; times < 5; times++) {
            accepted(
                    stack.api().call("GET", "/v1/fleet/orders", null, "Authorization", otto, "X-Request-Id", "r-4711"));
        }
        AuditRecord read = rows("actor=audit-otto").getFirst();
        assertThat(read.action()).isEqualTo("READ_ORDERS");
        assertThat(read.requestId()).isEqualTo("r-4711");
        AuditRecord resumed = rows("action=RESUME_ALL").getFirst();
        assertThat(resumed.detail()).isEqualTo("it is back");
        assertThat(resumed.userId()).isNull();

        List<String> all =
                rows("actor=audit-otto").stream().map(AuditRecord::position).toList();
        List<String> paged = new ArrayList<>();
        ResultPage<AuditRecord> page = operator.get(OTTOS).page(AuditRecord.class);
        while (true) {
            page.items().forEach(row -> paged.add(row.position()));
            if (page.nextCursor() == null) {
                break;
            }
            page = operator.get(OTTOS + "&after=" + page.nextCursor()).page(AuditRecord.class);
        }
        assertThat(paged).hasSize(5).isEqualTo(all).doesNotHaveDuplicates();
    }

    @Test
    @Tag("X29")
    @DisplayName("A call that cannot be recorded is 503, and nothing is done; an explanation shows no order or session")
    void unrecordedCallsAreRefused() throws Exception {
        Trader trader = Eventually.trading(stack, "audit-bob");
        Eventually.activeWorker(trader, 1, Duration.ofSeconds(20));
        AccountsClient accounts = new AccountsClient(stack, trader);
        String kill = "{\"level\":\"user\",\"userId\":\"audit-bob\",\"on\":true,\"reason\":\"r\"}";
        sql("REVOKE INSERT ON audit FROM berth_api");
        try {
            refused(operator.put("/kill-switch", kill));
            refused(operator.put(LIMITS.replace("alice", "bob"), "{\"maxQuantity\":\"1\"}"));
            refused(operator.tell("/workers/audit-bob:suspend", "r"));
            refused(operator.tell("/workers/audit-bob:stop", "r"));
            refused(operator.tell("/workers:suspend", "r"));
            refused(operator.get("/workers/audit-bob"));
            refused(operator.get("/orders?userId=audit-bob"));
            JsonResponse explained = operator.get("/explain/audit-bob");
            Worker worker = explained.as(ExplainedWorker.class).worker();
            assertThat(worker.state()).isIn("ACTIVE", "PROCESSING");
            assertThat(worker.sessions()).isEmpty();
            assertThat(explained.raw().body()).doesNotContain("warm", "alpaca");
            JsonResponse order = operator.get("/explain/audit-bob/warm");
            assertThat(order.as(ExplainedOrder.class).missing().getFirst()).isEqualTo("postgresql");
            assertThat(order.raw().body()).doesNotContain("FILLED", "alpaca");
            refused(operator.post(
                    "/attention:requeue", "{\"ids\":[\"audit-bob:warm\"],\"dryRun\":false,\"reason\":\"r\"}"));
            refused(accounts.put("second", "key", SECRET));
            refused(accounts.delete("paper"));
        } finally {
            sql("GRANT INSERT ON audit TO berth_api");
        }
        assertThat(actions("audit-bob")).isEmpty();
        assertThat(operator.get("/kill-switch").raw().body()).doesNotContain("audit-bob");
        assertThat(operator.get(LIMITS.replace("alice", "bob")).body().hasNonNull("maxQuantity"))
                .isFalse();
        assertThat(operator.fleet().suspended()).isFalse();
        assertThat(accounts.ids()).containsExactly("paper");
        assertThat(trader.worker().state()).isIn("ACTIVE", "PROCESSING");
    }

    @Test
    @Tag("X29")
    @DisplayName("The command line shows the audit, and its check names the row that was changed or removed")
    void commandLineFindsChangedAndRemovedRows() throws Exception {
        berth.done("suspend audit-cli --reason margin");
        berth.done("resume audit-cli --reason paid");
        assertThat(berth.done("audit --user audit-cli"))
                .containsPattern("RESUME_WORKER of audit-cli  paid\n.*SUSPEND_WORKER of audit-cli  margin\n");
        List<AuditRecord> rows = JsonRecords.read(
                        berth.done("audit --user audit-cli --action resume-worker -o json"), PrintedRows.class)
                .items();
        assertThat(rows).hasSize(1);
        long number = rows.getFirst().number();
        String row = "chain = 'OPERATORS' AND number = " + number;

        String verified = berth.done("audit --verify");
        String head = verified.strip().lines().reduce((_, last) -> last).orElseThrow();
        assertThat(head).hasSize(129);
        operator.get("/workers/audit-cli");
        assertThat(berth.done("audit --verify --expect-head " + head)).contains("is intact");
        FinishedCommand otherHead = berth.run("audit --expect-head " + "0a".repeat(32) + head.substring(64));
        assertThat(otherHead.status()).isEqualTo(1);
        assertThat(otherHead.out()).contains("NOT INTACT", "No row of OPERATORS has the expected hash");

        sql("CREATE TABLE kept AS SELECT * FROM audit WHERE " + row);
        sql("SET session_replication_role = replica; UPDATE audit SET detail = 'unpaid' WHERE " + row);
        FinishedCommand changed = berth.run("audit --verify");
        assertThat(changed.status()).isEqualTo(1);
        assertThat(changed.out()).contains("Row OPERATORS-" + number + " was changed");
        sql("SET session_replication_role = replica; DELETE FROM audit WHERE " + row);
        FinishedCommand removed = berth.run("audit --verify -o json");
        assertThat(removed.status()).isEqualTo(1);
        Fault fault = JsonRecords.read(removed.out(), Verification.class).fault();
        assertThat(fault.kind()).isEqualTo("MISSING");
        assertThat(fault.row()).isEqualTo("OPERATORS-" + number);
        sql("SET session_replication_role = replica; INSERT INTO audit SELECT * FROM kept; DROP TABLE kept");
        assertThat(berth.done("audit --verify")).contains("is intact");
    }

    @Test
    @Tag("X29")
    @DisplayName("A plain user does not see the audit, and the application has its own role in PostgreSQL")
    void accessIsLimited() throws Exception {
        Trader trader = stack.trader("audit-plain");
        assertThat(trader.get("/v1/fleet/audit").status()).isEqualTo(403);
        assertThat(trader.get("/v1/fleet/audit:verify").status()).isEqualTo(403);
        try (Connection postgres = stack.openPostgres();
                Statement statement = postgres.createStatement();
                ResultSet logins = statement.executeQuery("SELECT string_agg(DISTINCT usename, ',')"
                        + " FROM pg_stat_activity WHERE datname IS NOT NULL AND pid <> pg_backend_pid()")) {
            assertThat(logins.next()).isTrue();
            assertThat(logins.getString(1)).isEqualTo("berth_api");
        }
    }
}
