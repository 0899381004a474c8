package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.acceptance.Rest.Answer;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(OnTheStack.class)
class RefusalTest {
    private static final String GOOD =
            NewOrder.market("never", "AAPL", "buy", "1").json();

    private final Stack stack;
    private final Trader trader;

    RefusalTest(Stack stack) throws Exception {
        this.stack = stack;
        this.trader = stack.trader("refused");
    }

    /** Whatever was refused, nothing came of it. */
    @AfterAll
    static void nothingWasStarted(Stack stack) throws Exception {
        Trader trader = stack.trader("refused");
        assertThat(new TemporalCli(stack).ids("BerthUserId = 'refused'")).isEmpty();
        assertThat(Venue.of(stack).arrivals(trader)).isEmpty();
        assertThat(trader.worker().path("epoch").asLong()).isZero();
        assertThat(trader.get("/v1/orders").body().path("orders").size()).isZero();
    }

    @ParameterizedTest(name = "{0} -> {1}: {2} {3}, which names {4}")
    @DisplayName("A body that can be no order is refused with what is wrong with it")
    @CsvSource(
            quoteCharacter = '`',
            value = {
                // replaced | by | status | problem | a word of the detail
                "`\"quantity\":\"1\"`, `\"quantity\":\"1\"]`, 400, malformed-json, line 1",
                "`\"quantity\":\"1\"`, `\"quantity\":\"1\",\"quantity\":\"2\"`, 400, malformed-json, quantity",
                "`\"quantity\"`, `\"quantitty\"`, 400, malformed-json, quantitty is no field",
                "`\"quantity\":\"1\"`, `\"quantity\":[\"1\"]`, 400, malformed-json, quantity has to be a string",
                "`\"type\":\"market\"`, `\"type\":\"market\",\"limitPrise\":\"1\"`, 400, malformed-json, limitPrise",
                "`\"side\":\"buy\"`, `\"side\":\"hold\"`, 400, malformed-json, `side has to be one of buy, sell`",
                "`\"side\":\"buy\"`, `\"side\":1`, 400, malformed-json, `side has to be one of buy, sell`",
                "`\"side\":\"buy\"`, `\"side\":\"1\"`, 400, malformed-json, `side has to be one of buy, sell`",
                "`\"type\":\"market\"`, `\"type\":\"market\",\"priority\":99999999999`, 400, malformed-json, priority is too large",
                "`\"broker\":\"alpaca\"`, `\"broker\":\"alpaca\",\"brokr\":\"x\"`, 400, malformed-json, account.brokr is no field",
                "`\"environment\":\"paper\"`, `\"environment\":\"real\"`, 400, malformed-json, paper",
                "`\"type\":\"market\"`, `\"type\":\"market\",\"priority\":1.9`, 400, malformed-json, priority has to be a whole",
                "`\"type\":\"market\"`, `\"type\":\"market\",\"dispatchWithin\":\"2m\"`, 400, malformed-json, PT120S",
                "`\"broker\":\"alpaca\"`, `\"broker\":{}`, 400, malformed-json, account.broker has to be a string",
                "AAPL, AAPLE, 422, unknown-symbol, AAPLE",
                "`\"quantity\":\"1\"`, `\"quantity\":\"-1\"`, 422, invalid-order, quantity",
                "`\"quantity\":\"1\"`, `\"quantity\":\"0\"`, 422, invalid-order, quantity",
                "`\"quantity\":\"1\"`, `\"quantity\":\"1e3\"`, 422, invalid-order, quantity",
                "`\"quantity\":\"1\"`, `\"quantity\":\"0.0000000001\"`, 422, invalid-order, quantity",
                "`\"quantity\":\"1\",`, ``, 422, invalid-order, quantity is missing",
                "`\"side\":\"buy\",`, ``, 422, invalid-order, side is missing",
                "`\"timeInForce\":\"day\",`, ``, 422, invalid-order, timeInForce is missing",
                "`\"type\":\"market\"`, `\"type\":\"limit\"`, 422, invalid-order, limitPrice",
                "`\"type\":\"market\"`, `\"type\":\"market\",\"limitPrice\":\"1\"`, 422, invalid-order, limitPrice",
                "`\"type\":\"market\"`, `\"type\":\"market\",\"priority\":6`, 422, invalid-order, priority",
                "`\"type\":\"market\"`, `\"type\":\"market\",\"dispatchWithin\":\"PT48H\"`, 422, invalid-order, dispatchWithin",
                "`\"never\"`, `\"has space\"`, 422, invalid-order, hyphen",
                "`\"environment\":\"paper\"`, `\"environment\":\"live\"`, 422, live-not-enabled, paper",
                "`\"accountId\":\"paper\"`, `\"accountId\":\"other\"`, 422, unknown-account, other",
            })
    void aBadField(String replaced, String by, int status, String problem, String word) throws Exception {
        assertThat(GOOD).contains(replaced);
        refused(trader.submit(GOOD.replace(replaced, by == null ? "" : by)), status, problem, word);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @DisplayName("A body that is no object, or whose account is none, is refused in the words of the call")
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "``, It is missing",
                "null, It is missing",
                "hello, line 1",
                "{} {}, Something follows it",
                "[], `an object with the fields clientOrderId, account`",
                "{\"account\":\"paper\"}, `account has to be an object with the fields broker`",
            })
    void aBadBody(String body, String words) throws Exception {
        refused(trader.submit(body), 400, "malformed-json", words);
    }

    @Test
    @DisplayName(
            "Without a token, with garbage, a token of another key or one that has expired: 401 that says how to get one")
    void withoutAToken() throws Exception {
        refused(stack.api().call("POST", "/v1/orders", GOOD), 401, "unauthenticated", "./berth token");
        Tokens tokens = new Tokens(stack);
        String good = tokens.sign("refused", "", Duration.ofMinutes(5));
        String forged = good.substring(0, good.lastIndexOf('.') + 1)
                + tokens.sign("refused-2", "", Duration.ofMinutes(5)).split("\\.", 3)[2];
        for (String bad : new String[] {"garbage", forged, tokens.sign("refused", "", Duration.ofMinutes(-5))}) {
            refused(order("Bearer " + bad), 401, "unauthenticated", "./berth token");
        }
        refused(order("Bearer " + tokens.sign("NO USER", "", Duration.ofMinutes(5))), 403, "forbidden", "user id");
        // The same signature is good where the token is: what was refused above was refused for its age or its owner.
        assertThat(stack.api()
                        .call("GET", "/v1/orders", null, "Authorization", "Bearer " + good)
                        .status())
                .isEqualTo(200);
    }

    @Test
    @DisplayName("An order of another user, one that does not exist and a path that does not exist are 404")
    void whatIsNotThere() throws Exception {
        Trader owner = stack.trader("refused-owner");
        owner.submit(NewOrder.market("secret", "AAPL", "buy", "1"), 20);
        refused(trader.get("/v1/orders/secret"), 404, "order-not-found", "secret");
        refused(trader.get("/v1/orders/secret/events"), 404, "order-not-found", "secret");
        refused(trader.delete("/v1/orders/secret"), 404, "order-not-found", "secret");
        refused(trader.get("/v1/nothing"), 404, "not-found", "swagger");
        assertThat(owner.order("secret").path("status").asText()).isEqualTo("FILLED");
    }

    @ParameterizedTest
    @DisplayName("A list that is asked for wrongly is 400, with the bounds")
    @CsvSource({
        "limit=0, limit",
        "limit=501, limit",
        "limit=ten, limit",
        "cursor=guess, cursor",
        "status=SOLD, status",
        "symbol=%00, symbol",
    })
    void aBadList(String query, String word) throws Exception {
        refused(trader.get("/v1/orders?" + query), 400, "invalid-request", word);
    }

    @Test
    @DisplayName("A Prefer header that can not be read is 400 and starts no order")
    void aBadPreference() throws Exception {
        refused(trader.submit(GOOD, "Prefer", "wait=long"), 400, "invalid-request", "Prefer: wait=");
    }

    @Test
    @DisplayName("A method that a path does not take is 405, as a problem like any other")
    void theWrongMethod() throws Exception {
        problem(stack.api().call("PUT", "/v1/orders", GOOD, "Authorization", trader.bearer()), 405);
    }

    private Answer order(String authorization) throws IOException, InterruptedException {
        return stack.api().call("POST", "/v1/orders", GOOD, "Authorization", authorization);
    }

    private static void refused(Answer answer, int status, String problem, String word) {
        problem(answer, status);
        assertThat(answer.text("type")).isEqualTo("urn:berth:problem:" + problem);
        assertThat(answer.text("detail")).contains(word).doesNotContain("java", "dev.berth", "JsonToken", "Source");
    }

    private static void problem(Answer answer, int status) {
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(status);
        assertThat(answer.raw().headers().firstValue("Content-Type").orElse("")).startsWith("application/problem+json");
        assertThat(answer.text("type")).startsWith("urn:berth:problem:");
        assertThat(answer.text("title")).isNotEmpty();
        assertThat(answer.text("detail")).isNotEmpty();
        assertThat(answer.body().path("status").asInt()).isEqualTo(status);
    }
}
