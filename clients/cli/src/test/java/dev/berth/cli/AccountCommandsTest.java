package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.FakeApi.Result;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class AccountCommandsTest {
    private static final String PAPER = "/v1/accounts/alpaca/equity/paper/paper";
    private static final String BALANCES = """
            {"asOf":"T1","currency":"USD","cash":"99000.50","equity":"100000","buyingPower":null,
            "currencies":[{"currency":"USD","total":"99000.50","available":"99000.50"}],"restrictions":[]}""";

    private final FakeApi api;

    AccountCommandsTest() throws IOException {
        api = new FakeApi();
        api.answersAt("/v1/accounts", """
                {"accounts":[{"account":{"broker":"alpaca","market":"equity","environment":"paper",
                "accountId":"paper"},"keyId":"****7890","version":1},{"account":{"broker":"fix","market":"equity",
                "environment":"paper","accountId":"paper"},"keyId":"****7891","version":1}]}""");
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

    private void holds(String positions, String orders) {
        api.answersAt(PAPER + "/balances", BALANCES)
                .answersAt(PAPER + "/positions", "{\"asOf\":\"T2\",\"items\":[%s]}".formatted(positions))
                .answersAt(PAPER + "/orders", "{\"asOf\":\"T3\",\"items\":[%s]}".formatted(orders));
    }

    @Test
    @DisplayName("The first account is shown: money, positions, and open orders with their origin")
    void showsFirstAccount() {
        holds("""
                {"symbol":"AAPL","assetClass":"us_equity","quantity":"10","availableQuantity":"4",
                "averageEntryPrice":"99.95","currency":"USD","marketValue":"1000.1"},
                {"symbol":"BTC/USD","assetClass":"crypto","quantity":"-0.25","availableQuantity":"-0.25",
                "averageEntryPrice":"60000","currency":"USD","marketValue":null}""", """
                {"venueOrderId":"v-1","clientOrderId":"o-1","origin":"berth","symbol":"AAPL","side":"sell",
                "type":"stop_limit","quantity":"6","filledQuantity":"0","limitPrice":"90","stopPrice":"91",
                "status":"NEW"},
                {"venueOrderId":"v-22","clientOrderId":null,"origin":"foreign","symbol":"MSFT","side":"buy",
                "type":"market","quantity":null,"filledQuantity":"1","limitPrice":null,"stopPrice":null,
                "status":"PARTIALLY_FILLED"}""");
        assertThat(done("account --user alice")).isEqualTo("""
                alpaca/equity/paper/paper, as of T1
                  cash          99000.50  USD
                  equity          100000  USD
                  buying power         -  USD

                positions, as of T2
                  symbol   quantity  available  average entry   value
                  AAPL           10          4          99.95  1000.1  USD
                  BTC/USD     -0.25      -0.25          60000       -  USD

                open orders, as of T3
                  venue's id  origin   status            order                               filled  client order id
                  v-1         berth    NEW               sell 6 AAPL stop_limit 90, stop 91       0  o-1
                  v-22        foreign  PARTIALLY_FILLED  buy - MSFT market                        1  -
                """);
        assertThat(api.calls())
                .containsExactly(
                        "GET /v1/accounts",
                        "GET " + PAPER + "/balances",
                        "GET " + PAPER + "/positions",
                        "GET " + PAPER + "/orders");
    }

    @Test
    @DisplayName("Several currencies and what the account may not do are told")
    void showsCurrenciesAndRestrictions() {
        holds("", "");
        api.answersAt(PAPER + "/balances", """
                {"asOf":"T1","currency":"USD","cash":"9","equity":"9","buyingPower":"0",
                "currencies":[{"currency":"USD","total":"9","available":"7"},
                {"currency":"BTC","total":"0.5","available":"0.5"}],"restrictions":["trading blocked"]}""");
        assertThat(done("account")).isEqualTo("""
                alpaca/equity/paper/paper, as of T1
                  cash            9  USD
                  equity          9  USD
                  buying power    0  USD
                  total           9  USD, 7 available
                  total         0.5  BTC, 0.5 available
                  restricted: trading blocked

                positions, as of T2
                  There is none.

                open orders, as of T3
                  There is none.
                """);
    }

    @Test
    @DisplayName("A named account is not looked up; --fresh asks the broker once, and JSON is one object")
    void asksBrokerOnce() {
        holds("", "");
        assertThat(done("account alpaca/equity/paper/paper --fresh -o json").strip())
                .isEqualTo("{\"account\":{\"broker\":\"alpaca\",\"market\":\"equity\",\"environment\":\"paper\","
                        + "\"accountId\":\"paper\"},\"balances\":" + BALANCES.replace("\n", "")
                        + ",\"positions\":{\"asOf\":\"T2\",\"items\":[]},\"orders\":{\"asOf\":\"T3\",\"items\":[]}}");
        assertThat(api.calls())
                .containsExactly(
                        "GET " + PAPER + "/balances?fresh=true",
                        "GET " + PAPER + "/positions",
                        "GET " + PAPER + "/orders");
    }

    @Test
    @DisplayName("An account that no worker has read ends with 1 and the API's sentence")
    void saysWhyThereIsNothing() {
        api.answers(404, "{\"detail\":\"No worker has read account a/b/paper/c yet.\"}");
        Result refused = api.run("account");
        assertThat(refused.exitCode()).isEqualTo(CommandFailure.REFUSED);
        assertThat(refused.out()).isEmpty();
        assertThat(refused.err()).isEqualTo("berth: refused (404): No worker has read account a/b/paper/c yet.\n");
        api.answersAt("/v1/accounts", "{\"accounts\":[]}");
        Result none = api.run("account");
        assertThat(none.exitCode()).isEqualTo(CommandFailure.REFUSED);
        assertThat(none.err()).startsWith("berth: the user has no account.");
    }

    @Test
    @DisplayName("An order is canceled by the venue's id, in the first account or in a named one")
    void cancelsByVenueId() {
        api.answers(202, "");
        assertThat(done("account cancel v-22 --user alice"))
                .isEqualTo("The venue took the cancel of v-22. ./berth account shows what is open.\n");
        assertThat(done("account cancel v-22 fix/equity/paper/paper -o json"))
                .isEqualTo("{\"account\":{\"broker\":\"fix\",\"market\":\"equity\",\"environment\":\"paper\","
                        + "\"accountId\":\"paper\"},\"venueOrderId\":\"v-22\",\"outcome\":\"requested\"}\n");
        assertThat(api.calls())
                .containsExactly(
                        "GET /v1/accounts",
                        "DELETE " + PAPER + "/orders/v-22",
                        "DELETE /v1/accounts/fix/equity/paper/paper/orders/v-22");
        api.answers(409, "{\"detail\":\"The venue refused the cancel.\"}");
        assertThat(api.run("account", "cancel", "v-22").err())
                .isEqualTo("berth: refused (409): The venue refused the cancel.\n");
    }

    @Test
    @Tag("T3")
    @DisplayName("Positions are closed with a key, one symbol or all; each has its order, problem or reason")
    void closesPositions() {
        api.answersAt(PAPER + "/positions:close", """
                {"items":[{"symbol":"AAPL","quantity":"10","order":{"clientOrderId":"close-1","status":"FILLED",
                "filledQuantity":"10"}},{"symbol":"MSFT","quantity":"-2","problem":{"detail":"A kill switch is on."}},
                {"symbol":"TSLA","reason":"The account has no such position."}]}""");
        assertThat(done("account close --key k-1 --user alice")).isEqualTo("""
                symbol  position  order    status  filled
                AAPL          10  close-1  FILLED      10
                MSFT          -2  -        -            -  A kill switch is on.
                TSLA           -  -        -            -  The account has no such position.
                """);
        api.answersAt("/v1/accounts/fix/equity/paper/paper/positions:close", "{\"items\":[]}");
        assertThat(done("account close fix/equity/paper/paper --symbol BTC/USD --key k-2"))
                .isEqualTo(
                        "No position was closed: there is none, or the close still runs. Repeat it with --key k-2.\n");
        assertThat(done("account close fix/equity/paper/paper --key k-2 -o json"))
                .isEqualTo("{\"account\":{\"broker\":\"fix\",\"market\":\"equity\",\"environment\":\"paper\","
                        + "\"accountId\":\"paper\"},\"key\":\"k-2\",\"items\":[]}\n");
    }
}
