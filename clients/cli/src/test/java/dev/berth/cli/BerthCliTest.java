package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.FakeApi.Result;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class BerthCliTest {
    private static final String ORDER = """
            {"clientOrderId":"o-1","status":"FILLED","reason":null,"filledQuantity":"10","averagePrice":"99.49",
            "attempts":2,"symbol":"AAPL","side":"buy","type":"limit","quantity":"10","limitPrice":"99.5",
            "stopPrice":null,"at":"2026-03-02T09:30:00Z"}""";

    private final FakeApi api;

    BerthCliTest() throws IOException {
        api = new FakeApi();
    }

    @AfterEach
    void close() {
        api.close();
    }

    private String done(String arguments) {
        Result result = api.run(arguments.split(" "));
        assertThat(result.exitCode()).as(result.err()).isZero();
        return result.out();
    }

    @Test
    @DisplayName("Help is plain text, on a terminal too")
    void helpHasNoColours() {
        System.setProperty("picocli.ansi", "true");
        try {
            assertThat(done("info --help")).startsWith("Usage: ./berth info").isASCII();
        } finally {
            System.clearProperty("picocli.ansi");
        }
    }

    @Test
    @Tag("D10")
    @DisplayName("Info shows the last switch, the workers by state, the pool and the orders")
    void showsFleet() {
        api.answers(200, """
                {"suspended":true,"lastSwitch":{"now":{"reason":"down"},"by":"olga","at":"T"},"openOrders":7,
                "workers":{"ACTIVE":3,"FAILED":1},"poolIdle":null,"attention":1,"attentionOrders":2}""");
        assertThat(done("info")).isEqualTo("""
                          ALL SUSPENDED      down (olga, T)
                          ACTIVE             3
                          FAILED             1
                          workers in all     4
                          pool, idle         not known, Redis is unavailable
                          orders in flight   7
                          need attention     1 workers, 2 orders
                        """);
        assertThat(api.calls()).containsExactly("GET /v1/fleet");
    }

    @Test
    @DisplayName("Info and attention say what is missing while PostgreSQL is unavailable")
    void showsWhatIsMissing() {
        api.answers(200, """
                {"missing":["postgresql"],"openOrders":7,"workers":{"ACTIVE":3},"poolIdle":2,"attention":1}""");
        assertThat(done("info"))
                .contains("NOT COMPLETE       postgresql does not answer\n", "1 workers, ? orders")
                .doesNotContain("suspended", "resumed");
        api.answers(200, """
                {"missing":["postgresql"],"items":[{"kind":"worker","userId":"bob","state":"FAILED","reason":"dies"}]}""");
        assertThat(done("attention")).isEqualTo("""
                worker  bob  FAILED  dies
                NOT COMPLETE: orders are not known, since postgresql does not answer.
                """);
    }

    @Test
    @Tag("D2")
    @DisplayName("A list of workers has birth, version, queue and order of each, and ends with the next cursor")
    void showsWorkers() {
        api.answers(200, """
                {"items":[{"userId":"alice","state":"ACTIVE","attention":true,"queue":"user-alice","epoch":3,
                "version":"1.4","launchedAt":"T1","currentOrder":"o-1","requestsUsed":95},
                {"userId":"bob","state":"ACTIVE","queue":"user-bob","epoch":1,"version":"1.4","launchedAt":"T2"},
                {"userId":"carol","state":"SUSPENDED","queue":"user-carol"}],"nextCursor":"c-2"}""");
        assertThat(done("info --state active").replaceAll(" +", " "))
                .startsWith("""
                        alice ACTIVE epoch 3 1.4 T1 user-alice busy with o-1; used 95 % of its broker's requests; needs attention
                        bob ACTIVE epoch 1 1.4 T2 user-bob idle
                        carol SUSPENDED epoch - - - user-carol -
                        """)
                .endsWith("There are more; the next page begins at c-2\n");
        assertThat(api.calls()).containsExactly("GET /v1/fleet/workers?limit=1000&state=ACTIVE");
    }

    @Test
    @DisplayName("A change to a worker carries its reason, quotes included")
    void changesWorker() {
        api.answers(202, "{\"state\":\"DRAINING\"}");
        assertThat(done("suspend alice --reason margin\"call")).contains("alice", "DRAINING", "./berth explain alice");
        assertThat(done("resume --all")).contains("./berth info");
        assertThat(api.calls())
                .containsExactly(
                        "POST /v1/fleet/workers/alice:suspend {\"reason\":\"margin\\\"call\"}",
                        "POST /v1/fleet/workers:resume {\"reason\":\"no reason given\"}");
    }

    @Test
    @DisplayName("An order is one line; an option may stand before or after its subcommand")
    void showsOrder() {
        api.answers(200, ORDER);
        String line = "o-1  FILLED  buy 10 AAPL limit 99.5; 10 filled at 99.49; attempt 2\n";
        assertThat(done("order --user alice get o-1")).isEqualTo(line);
        assertThat(done("order cancel o-1 --user alice")).isEqualTo(line);
        assertThat(done("order replace o-1 --quantity 12")).isEqualTo(line);
        api.answers(200, "{\"orders\":[]}");
        assertThat(done("order list --status partially-filled --status new --since 2026-03-02T09:30:00+01:00"))
                .isEqualTo("There is none.\n");
        assertThat(api.calls())
                .containsExactly(
                        "GET /v1/orders/o-1",
                        "DELETE /v1/orders/o-1",
                        "PATCH /v1/orders/o-1 {\"quantity\":\"12\"}",
                        "GET /v1/orders?&status=PARTIALLY_FILLED&status=NEW&since=2026-03-02T09%3A30%3A00%2B01%3A00");
    }

    @Test
    @DisplayName("A followed order prints one line an event")
    void followsOrder() {
        api.answers(200, ": nothing new\n\nid: 1\ndata: " + ORDER.replace("\n", "") + "\n\n");
        assertThat(done("order events o-1 --follow")).startsWith("2026-03-02T09:30:00Z  o-1  FILLED");
    }

    @Test
    @DisplayName("An execution that the venue busted says so")
    void showsFills() {
        api.answers(200, """
                [{"at":"T","quantity":"4","price":"99","executionId":"e-1","busted":true}]""");
        assertThat(done("order fills o-1")).isEqualTo("T  4 at 99  e-1  taken back\n");
    }

    @Test
    @DisplayName("Attention names the requeue's deadline, or why there is none")
    void showsAttention() {
        api.answers(200, """
                {"items":[{"kind":"worker","userId":"bob","state":"FAILED","reason":"dies"},
                {"kind":"order","id":"a:1","status":"FAILED","since":"S","reason":"risk: r","requeueable":true,
                "deadline":"D"},{"kind":"order","id":"a:2","status":"FAILED","since":"S","reason":"risk: r",
                "requeueable":false,"notRequeueableBecause":"It has expired."}]}""");
        assertThat(done("attention --kind order --user a")).isEqualTo("""
                        worker  bob  FAILED  dies
                        order   a:1  FAILED  S  risk: r; requeue: until D
                        order   a:2  FAILED  S  risk: r; requeue: no. It has expired.
                        """);
        assertThat(api.calls()).containsExactly("GET /v1/fleet/attention?&kind=order&userId=a");
    }

    @Test
    @DisplayName("A requeue says what became of each order, and counts them")
    void showsRequeue() {
        api.answers(200, """
                {"dryRun":true,"requeued":0,"wouldRequeue":1,"refused":1,"orders":[
                {"id":"a:1","result":"wouldRequeue"},{"id":"a:2","result":"refused","why":"It has expired."}]}""");
        assertThat(done("requeue a:1 a:2 --dry-run --reason r"))
                .containsPattern("a:1 +wouldRequeue\n")
                .containsPattern("a:2 +refused: It has expired.\n")
                .endsWith("1 would be requeued, 1 refused.\n");
        assertThat(api.calls())
                .containsExactly("POST /v1/fleet/attention:requeue"
                        + " {\"dryRun\":true,\"ids\":[\"a:1\",\"a:2\"],\"reason\":\"r\"}");
    }

    @Test
    @Tag("Y7")
    @DisplayName("A resolution names the broker's id, or says that the order is absent, and not both")
    void sendsResolution() {
        api.answers(200, "{\"clientOrderId\":\"1\",\"status\":\"NEW\"}");
        assertThat(done("resolve a:1 --venue-order-id v-7 --reason r")).contains("NEW");
        api.answers(200, "{\"clientOrderId\":\"1\",\"status\":\"PENDING\"}");
        assertThat(done("resolve a:1 --absent --reason r")).contains("PENDING");
        assertThat(api.calls())
                .containsExactly(
                        "POST /v1/fleet/attention:resolve {\"id\":\"a:1\",\"venueOrderId\":\"v-7\",\"reason\":\"r\"}",
                        "POST /v1/fleet/attention:resolve {\"id\":\"a:1\",\"absent\":true,\"reason\":\"r\"}");
    }

    @Test
    @Tag("X9")
    @DisplayName("Kill switches show their effect, and how the copy of the gates stands")
    void showsKillSwitches() {
        api.answers(200, """
                {"copy":"MISSING","holdsAll":true,"switches":[{"level":"user","userId":"a","on":true,
                "inEffect":false,"reason":"r","changedBy":"olga","changedAt":"T"},{"level":"all","on":false,
                "reason":"r","changedBy":"olga","changedAt":"T"}]}""");
        assertThat(done("kill-switch"))
                .startsWith("The copy in Redis, which the gates read, is MISSING: Redis lost its data. The gates hold")
                .containsPattern("on +not in effect +user a +r \\(olga, T\\)\n")
                .containsPattern("off +effect unknown +all +r");
        assertThat(done("kill-switch on --broker alpaca --reason r")).startsWith("The kill switch is on.");
        assertThat(api.calls().getLast())
                .isEqualTo("PUT /v1/fleet/kill-switch"
                        + " {\"level\":\"broker\",\"broker\":\"alpaca\",\"on\":true,\"reason\":\"r\"}");
    }

    @Test
    @Tag("X21")
    @DisplayName("The plan of an upgrade names revisions and users; an upgrade has a reason")
    void showsUpgrade() {
        api.answers(200, """
                {"target":"worker:2","remaining":1,"revisions":[{"taskDefinition":"worker:1","workers":1,"idle":0},
                {"taskDefinition":"worker:2","workers":0,"idle":2}],
                "next":[{"userId":"a","taskDefinition":"worker:1","target":"worker:2"}]}""");
        assertThat(done("upgrade --plan"))
                .containsPattern("new workers get +worker:2\n")
                .contains("worker:1: 1 workers, 0 idle in the pool")
                .contains("a from worker:1 to worker:2");
        assertThat(api.calls()).singleElement().asString().startsWith("GET /v1/fleet/upgrade");
        done("upgrade --rate 30 --user a --reason r");
        assertThat(api.calls().getLast())
                .startsWith("POST /v1/fleet/upgrade")
                .contains("perMinute=30", "userId=a")
                .endsWith(" {\"reason\":\"r\"}");
        assertThat(api.run("upgrade").exitCode()).isEqualTo(2);
    }

    @Test
    @Tag("X14")
    @DisplayName("The pool's plan has each step in UTC and at the exchange, with its reason")
    void showsPoolPlan() {
        api.answers(200, """
                {"target":2,"exchanges":[{"exchange":"XNYS","zone":"America/New_York","lastDay":"2027-12-31"},
                {"exchange":"XTAI","zone":"Asia/Taipei","lastDay":"2025-12-31","session":null}],
                "steps":[{"from":"2026-11-25T14:00:00Z","until":"2026-11-25T21:00:00Z","target":6,"exchange":"XNYS",
                "fromLocal":"2026-11-25T09:00:00-05:00","untilLocal":"2026-11-25T16:00:00-05:00",
                "reason":"XNYS trades"}]}""");
        assertThat(done("pool plan"))
                .containsPattern("\n2026-11-25 14:00  2026-11-25 21:00 +XNYS 11-25 09:00 to 11-25 16:00 -05:00"
                        + " +6  XNYS trades\n")
                .contains("\nThe calendar of XNYS (America/New_York) ends on 2027-12-31.\n")
                .endsWith("\nThe calendar of XTAI (Asia/Taipei) ended on 2025-12-31.\n");
        api.answers(200, "{\"target\":2,\"exchanges\":[],\"steps\":[]}");
        assertThat(done("pool plan")).isEqualTo("The pool keeps 2 idle workers at all times: no exchange is set.\n");
        assertThat(api.calls()).containsOnly("GET /v1/fleet/pool/plan");
        assertThat(api.run("pool", "size").exitCode()).isEqualTo(2);
        assertThat(api.run("pool").exitCode()).isEqualTo(2);
    }

    @Test
    @Tag("X23")
    @DisplayName("A terminal gets no control character, neither in text nor in JSON nor in a refusal")
    void filtersOutput() {
        api.answers(200, "{\"text\":\"a\\u001b[2J\u202e\"}");
        assertThat(done("explain alice")).isEqualTo("a\uFFFD[2J\uFFFD\n");
        assertThat(done("explain alice -o json")).isEqualTo("{\"text\":\"a\\u001b[2J\\u202e\"}\n");
        api.answers(400, "{\"detail\":\"b\\u001b[2J\"}");
        assertThat(api.run("explain", "alice").err()).isEqualTo("berth: refused (400): b\uFFFD[2J\n");
    }

    @Test
    @DisplayName("A refusal ends with 1 and its detail, an API that does not answer with 3")
    void reportsFailures() {
        api.answers(403, "{\"detail\":\"needs the scope fleet\"}");
        Result refused = api.run("info", "-o", "json");
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.out()).isEqualTo("{\"detail\":\"needs the scope fleet\"}\n");
        assertThat(refused.err()).isEqualTo("berth: refused (403): needs the scope fleet\n");
        Result unavailable = FakeApi.runOn("http://127.0.0.1:1", "info");
        assertThat(unavailable.exitCode()).isEqualTo(3);
        assertThat(unavailable.err()).contains("not reachable", "./berth up");
    }
}
