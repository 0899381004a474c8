package dev.berth.acceptance.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.Tokens;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.TemporalCli;
import dev.berth.acceptance.stack.Venue;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(StackExtension.class)
class InvalidRequestTest {
    private static final String VALID_ORDER =
            OrderBody.market("never", "AAPL", "buy", "1").json();

    private final Stack stack;
    private final Trader trader;

    InvalidRequestTest(Stack stack) throws Exception {
        this.stack = stack;
        this.trader = stack.trader("refused");
    }

    /** Refused requests must not start anything. */
    @AfterAll
    static void nothingWasStarted(Stack stack) throws Exception {
        Trader trader = stack.trader("refused");
        assertThat(new TemporalCli(stack).ids("BerthUserId = 'refused'")).isEmpty();
        assertThat(Venue.of(stack).arrivals(trader)).isEmpty();
        assertThat(trader.worker().epoch()).isZero();
        assertThat(trader.get("/v1/orders").page(PlacedOrder.class).items()).isEmpty();
    }

    @ParameterizedTest(name = "{0} -> {1}: {2} {3}, which names {4}")
    @Tag("Y8")
    @DisplayName("An invalid field is refused with its name and the remedy")
    @CsvSource(
            quoteCharacter = '`',
            value = {
                // replaced | by | status | problem | a word of the detail
                "`\"quantity\":\"1\"`, `\"quantity\":\"1\"]`, 400, malformed-json, line 1",
                "`\"quantity\":\"1\"`, `\"quantity\":\"1\",\"quantity\":\"2\"`, 400, malformed-json, quantity",
                "`\"quantity\"`, `\"quantitty\"`, 400, malformed-json, quantitty is not a field",
                "`\"quantity\":\"1\"`, `\"quantity\":[\"1\"]`, 400, malformed-json, quantity must be a string",
                "`\"symbol\":\"AAPL\"`, `\"symbol\":true`, 400, malformed-json, symbol must be a string",
                "`\"type\":\"market\"`, `\"type\":\"market\",\"limitPrise\":\"1\"`, 400, malformed-json, limitPrise",
                "`\"side\":\"buy\"`, `\"side\":\"hold\"`, 400, malformed-json, `side must be one of buy, sell`",
                "`\"side\":\"buy\"`, `\"side\":1`, 400, malformed-json, `side must be one of buy, sell`",
                "`\"side\":\"buy\"`, `\"side\":\"1\"`, 400, malformed-json, `side must be one of buy, sell`",
                "`\"type\":\"market\"`, `\"type\":\"market\",\"priority\":99999999999`, 400, malformed-json, priority is too large",
                "`\"broker\":\"alpaca\"`, `\"broker\":\"alpaca\",\"brokr\":\"x\"`, 400, malformed-json, account.brokr is not a field",
                "`\"environment\":\"paper\"`, `\"environment\":\"real\"`, 400, malformed-json, paper",
                "`\"type\":\"market\"`, `\"type\":\"market\",\"priority\":1.9`, 400, malformed-json, priority must be a whole",
                "`\"type\":\"market\"`, `\"type\":\"market\",\"dispatchWithin\":\"2m\"`, 400, malformed-json, PT120S",
                "`\"broker\":\"alpaca\"`, `\"broker\":{}`, 400, malformed-json, account.broker must be a string",
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
                "`\"broker\":\"alpaca\"`, `\"broker\":\"ibkr\"`, 422, unsupported-broker, `Served: alpaca`",
            })
    void invalidFieldIsNamed(String replaced, String by, int status, String problem, String word) throws Exception {
        assertThat(VALID_ORDER).contains(replaced);
        assertRefused(trader.submit(VALID_ORDER.replace(replaced, by == null ? "" : by)), status, problem, word);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @DisplayName("A body that is no order object is refused with the expected form")
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "``, The body is missing",
                "null, The body is missing",
                "hello, line 1",
                "{} {}, More text follows",
                "[], `an object with the fields clientOrderId, account`",
                "{\"account\":\"paper\"}, `account must be an object with the fields broker`",
            })
    void invalidBodyIsRefused(String body, String words) throws Exception {
        assertRefused(trader.submit(body), 400, "malformed-json", words);
    }

    @Test
    @DisplayName("A missing, forged or expired token is 401 with the command that makes one")
    void invalidTokenIs401() throws Exception {
        assertRefused(stack.api().call("POST", "/v1/orders", VALID_ORDER), 401, "unauthenticated", "./berth token");
        Tokens tokens = new Tokens(stack);
        String good = tokens.sign("refused", Tokens.TRADER, Duration.ofMinutes(5));
        String forged = good.substring(0, good.lastIndexOf('.') + 1)
                + tokens.sign("refused-2", Tokens.TRADER, Duration.ofMinutes(5)).split("\\.", 3)[2];
        for (String bad :
                new String[] {"garbage", forged, tokens.sign("refused", Tokens.TRADER, Duration.ofMinutes(-5))}) {
            assertRefused(order("Bearer " + bad), 401, "unauthenticated", "./berth token");
        }
        assertRefused(
                order("Bearer " + tokens.sign("fleet", Tokens.TRADER, Duration.ofMinutes(5))),
                403,
                "forbidden",
                "reserved");
        // The valid token shows that only age and owner were refused above.
        assertThat(stack.api()
                        .call("GET", "/v1/orders", null, "Authorization", "Bearer " + good)
                        .status())
                .isEqualTo(200);
    }

    @Test
    @DisplayName("Another user's order, an unknown order and an unknown path are 404")
    void foreignOrUnknownPathIs404() throws Exception {
        Trader owner = stack.trader("refused-owner");
        owner.submit(OrderBody.market("secret", "AAPL", "buy", "1"), 60);
        assertRefused(trader.get("/v1/orders/secret"), 404, "order-not-found", "secret");
        assertRefused(trader.get("/v1/orders/secret/events"), 404, "order-not-found", "secret");
        assertRefused(trader.delete("/v1/orders/secret"), 404, "order-not-found", "secret");
        assertRefused(trader.get("/v1/nothing"), 404, "not-found", "swagger");
        assertThat(owner.order("secret").status()).isEqualTo("FILLED");
    }

    @ParameterizedTest
    @DisplayName("An invalid list query is 400 with the bounds")
    @CsvSource({
        "limit=0, limit",
        "limit=501, limit",
        "limit=ten, limit",
        "cursor=guess, cursor",
        "status=SOLD, status",
        "symbol=%00, symbol",
    })
    void invalidListQueryIs400(String query, String word) throws Exception {
        assertRefused(trader.get("/v1/orders?" + query), 400, "invalid-request", word);
    }

    @Test
    @DisplayName("A malformed Prefer header is 400 and starts no order")
    void invalidPreferHeaderIs400() throws Exception {
        assertRefused(trader.submit(VALID_ORDER, "Prefer", "wait=long"), 400, "invalid-request", "Prefer: wait=");
    }

    @Test
    @DisplayName("An unsupported method is 405 with a problem document")
    void unsupportedMethodIs405() throws Exception {
        assertProblem(stack.api().call("PUT", "/v1/orders", VALID_ORDER, "Authorization", trader.bearer()), 405);
    }

    private JsonResponse order(String authorization) throws IOException, InterruptedException {
        return stack.api().call("POST", "/v1/orders", VALID_ORDER, "Authorization", authorization);
    }

    private static void assertRefused(JsonResponse answer, int status, String problem, String word) {
        assertProblem(answer, status);
        assertThat(answer.text("type")).isEqualTo("urn:berth:problem:" + problem);
        assertThat(answer.text("detail")).contains(word).doesNotContain("java", "dev.berth", "JsonToken", "Source");
    }

    private static void assertProblem(JsonResponse answer, int status) {
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(status);
        assertThat(answer.raw().headers().firstValue("Content-Type").orElse("")).startsWith("application/problem+json");
        assertThat(answer.text("type")).startsWith("urn:berth:problem:");
        assertThat(answer.text("title")).isNotEmpty();
        assertThat(answer.text("detail")).isNotEmpty();
        assertThat(answer.text("status")).isEqualTo(Integer.toString(status));
    }
}
