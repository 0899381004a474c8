package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.FakeApi.Result;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T9")
class FillCommandsTest {
    private static final String PAPER = "/v1/accounts/alpaca/equity/paper/paper";
    private static final String STATEMENT = PAPER + "/statements/2026-11-30";

    private final FakeApi api;

    FillCommandsTest() throws IOException {
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

    private void refuses(String arguments, String why) {
        Result result = api.run(arguments.split(" "));
        assertThat(result.exitCode()).isEqualTo(CommandFailure.WRONG_USAGE);
        assertThat(result.err()).contains(why);
        assertThat(api.calls()).isEmpty();
    }

    @Test
    @DisplayName("Executions are a table, with fees, and with where the next page begins")
    void showsFills() {
        api.answers(200, """
                {"items":[{"executionId":"e-2","clientOrderId":null,"venueOrderId":"v-2","symbol":"BTC/USD","side":"buy",
                "quantity":"0.5","price":"60000","fee":{"amount":"0.00125","currency":"BTC"},"at":"T2","busted":false},
                {"executionId":"e-1","clientOrderId":"o-1","venueOrderId":"v-1","symbol":"AAPL","side":"sell",
                "quantity":"10","price":"99.5","fee":null,"at":"T1","busted":true}],"nextCursor":"abc"}""");
        assertThat(
                        done(
                                "fills --user alice --account alpaca/equity/paper/paper --symbol BTC/USD --from 2026-11-01T00:00:00Z"))
                .isEqualTo("""
                        time  side  quantity  symbol   price          fee  client order id  execution
                        T2    buy        0.5  BTC/USD  60000  0.00125 BTC  -                e-2
                        T1    sell        10  AAPL      99.5            -  o-1              e-1        taken back
                        There are more; the next page begins at abc
                        """);
        assertThat(api.calls())
                .containsExactly("GET /v1/fills?&account=alpaca%2Fequity%2Fpaper%2Fpaper&symbol=BTC%2FUSD"
                        + "&from=2026-11-01T00%3A00%3A00Z");
    }

    @Test
    @DisplayName("CSV has every page, one after the other")
    void exportsAllPages() {
        api.answersAt("/v1/fills?&symbol=AAPL", "executionId,symbol\r\ne-2,\"A,B\"\r\n")
                .linksAt("/v1/fills?&symbol=AAPL", "<http://elsewhere:9/v1/fills?cursor=abc>; rel=\"next\"")
                .answersAt("/v1/fills?cursor=abc", "e-1,AAPL\r\n");
        assertThat(done("fills --symbol AAPL -o csv")).isEqualTo("executionId,symbol\r\ne-2,\"A,B\"\r\ne-1,AAPL\r\n");
        assertThat(api.calls()).containsExactly("GET /v1/fills?&symbol=AAPL", "GET /v1/fills?cursor=abc");
    }

    @Test
    @DisplayName("A statement is a table, and as CSV what the API gives")
    void showsStatement() {
        api.answersAt(STATEMENT, """
                {"account":{"broker":"alpaca","market":"equity","environment":"paper","accountId":"paper"},
                "date":"2026-11-30","complete":false,"from":"T1","to":"T2","assets":[{"asset":"USD","lines":[
                {"line":"start","amount":"1000"},{"line":"fills","count":2,"amount":"-200"},
                {"line":"activity","kind":"DIV","count":1,"amount":"1.5"},{"line":"end","amount":"801.5"},
                {"line":"reported","amount":"801.5"},{"line":"difference","amount":"0"}]}]}""");
        assertThat(done("account statement 2026-11-30 alpaca/equity/paper/paper"))
                .isEqualTo("""
                alpaca/equity/paper/paper on 2026-11-30, from the report of T1 to that of T2; the day is not over
                  asset  line        amount
                  USD    start         1000
                         fills         -200  of 2
                         DIV            1.5  of 1
                         end          801.5
                         reported     801.5
                         difference       0
                """);
        api.answersAt(STATEMENT, "asset,line\r\nUSD,start\r\n");
        assertThat(done("account statement 2026-11-30 alpaca/equity/paper/paper -o csv"))
                .isEqualTo("asset,line\r\nUSD,start\r\n");
        assertThat(api.calls()).hasSize(2).containsOnly("GET " + STATEMENT);
    }

    @Test
    @DisplayName("What no page can be is refused before the API is called; a refusal ends with 1")
    void refusesWrongUsage() {
        refuses("fills --account alpaca/equity", "is no account");
        refuses("fills -o csv --limit 3", "without --limit");
        refuses("fills -o xml", "text, json or csv");
        refuses("account -o csv", "text or json");
        refuses("account statement today", "is no date");
        refuses("account --fresh statement 2026-11-30", "account statement DATE [ACCOUNT]");
        api.answers(404, "{\"detail\":\"No worker has read it.\"}");
        Result refused = api.run("account", "statement", "2026-11-30", "alpaca/equity/paper/paper", "-o", "csv");
        assertThat(refused.exitCode()).isEqualTo(CommandFailure.REFUSED);
        assertThat(refused.err()).isEqualTo("berth: refused (404): No worker has read it.\n");
    }
}
