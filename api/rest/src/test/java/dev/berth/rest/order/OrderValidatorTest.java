package dev.berth.rest.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.activities.broker.PaperAccount;
import dev.berth.process.settings.BerthSettingsTest;
import dev.berth.rest.Problem;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.Json;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.OrderRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OrderValidatorTest {
    private static final UserId ALICE = new UserId("alice");
    private static final String GOOD = """
            {"clientOrderId": "o-1", "symbol": "AAPL", "side": "buy", "type": "limit", "quantity": "10",
             "limitPrice": "99.50", "timeInForce": "day",
             "account": {"broker": "alpaca", "market": "equity", "environment": "paper", "accountId": "paper"}}
            """;

    private static OrderValidator validator(boolean live) {
        return new OrderValidator(BerthSettingsTest.start(
                "--berth.orders.symbols=AAPL,MSFT",
                "--berth.orders.dispatch-within-max=PT1H",
                "--berth.orders.live=" + live));
    }

    private static OrderRequest accept(String body, Optional<String> idempotencyKey) {
        return validator(false).accept(ALICE, Json.read(body, NewOrder.class), idempotencyKey);
    }

    private static OrderRequest accept(String body) {
        return accept(body, Optional.empty());
    }

    private static void assertRefused(Problem problem, String because, String body, Optional<String> key) {
        assertThatThrownBy(() -> accept(body, key))
                .isInstanceOfSatisfying(
                        Problem.Refusal.class,
                        refusal -> assertThat(refusal.detail().getType())
                                .isEqualTo(problem.detail("").getType()))
                .hasMessageContaining(because);
    }

    @Test
    void validSubmissionBecomesOrder() {
        OrderRequest order = accept(GOOD);
        assertThat(order.userId()).isEqualTo(ALICE);
        assertThat(order.clientOrderId()).hasToString("o-1");
        assertThat(order.account()).isEqualTo(PaperAccount.KEY);
        assertThat(order.limitPrice()).isEqualTo(Decimal.of("99.5"));
        assertThat(order.submittedAt()).isBeforeOrEqualTo(Instant.now());
    }

    @ParameterizedTest
    @Tag("B5")
    @DisplayName("An invalid symbol is refused")
    @ValueSource(strings = {"A\\u0000", "\\ud800", "", "A B", "../AAPL", "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456"})
    void invalidSymbolIsRefused(String symbol) {
        OrderValidator everySymbol = new OrderValidator(BerthSettingsTest.start());
        NewOrder order = Json.read(GOOD.replace("AAPL", symbol), NewOrder.class);
        assertThatThrownBy(() -> everySymbol.accept(ALICE, order, Optional.empty()))
                .isInstanceOf(Problem.Refusal.class)
                .hasMessageContaining("symbol");
    }

    @ParameterizedTest
    @CsvSource({"F, day", "BRK.B, day", "BTC/USD, gtc", "AAPL261219C00150000, day", "ES-Z6, day"})
    void venueSymbolsAreAccepted(String symbol, String timeInForce) {
        OrderValidator everySymbol = new OrderValidator(BerthSettingsTest.start());
        NewOrder order = Json.read(GOOD.replace("AAPL", symbol).replace("day", timeInForce), NewOrder.class);
        assertThat(everySymbol.accept(ALICE, order, Optional.empty()).symbol()).isEqualTo(symbol);
    }

    @Test
    void absentFieldsHaveDefaults() {
        OrderRequest order = accept(GOOD);
        assertThat(order.priority()).isEqualTo(3);
        assertThat(order.dispatchWithin()).isEqualTo(Duration.ofMinutes(2));
    }

    @Test
    void idMayComeFromHeaderOrBeGenerated() {
        String without = GOOD.replace("\"clientOrderId\": \"o-1\",", "");
        assertThat(accept(without, Optional.of("key-1")).clientOrderId()).hasToString("key-1");
        assertThat(accept(GOOD, Optional.of("o-1")).clientOrderId()).hasToString("o-1");
        assertThat(accept(without).clientOrderId()).isNotEqualTo(accept(without).clientOrderId());
    }

    @Test
    void differentIdInHeaderIsRefused() {
        assertRefused(Problem.INVALID_ORDER, "Idempotency-Key", GOOD, Optional.of("o-2"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"o-1\"              | \"o 1\"              | INVALID_ORDER    | client order id",
                "\"o-1\"              | \"o-1.r2\"           | INVALID_ORDER    | Use another id",
                "\"symbol\": \"AAPL\",|                      | INVALID_ORDER    | symbol is missing",
                "\"side\": \"buy\",   |                      | INVALID_ORDER    | side is missing",
                "\"type\": \"limit\", |                      | INVALID_ORDER    | type is missing",
                "\"quantity\": \"10\",|                      | INVALID_ORDER    | quantity is missing",
                "\"timeInForce\": \"day\",|                  | INVALID_ORDER    | timeInForce is missing",
                "\"10\"               | \"0\"                | INVALID_ORDER    | quantity must be greater than 0",
                "\"10\"               | \"-1\"               | INVALID_ORDER    | quantity: A decimal",
                "\"10\"               | \"1e3\"              | INVALID_ORDER    | quantity: A decimal",
                "\"99.50\"            | \"0.0000000001\"     | INVALID_ORDER    | limitPrice: A decimal",
                "\"limitPrice\": \"99.50\",|                 | INVALID_ORDER    | needs limitPrice",
                "\"limit\"            | \"market\"           | INVALID_ORDER    | takes no limitPrice",
                "\"limitPrice\"       | \"stopPrice\":\"1\",\"limitPrice\" | INVALID_ORDER | takes no stopPrice",
                "\"symbol\"           | \"priority\": 6, \"symbol\" | INVALID_ORDER | priority",
                "\"symbol\"           | \"dispatchWithin\": \"PT61M\", \"symbol\" | INVALID_ORDER | at most PT1H",
                "\"symbol\"           | \"dispatchWithin\": \"PT0S\", \"symbol\" | INVALID_ORDER | dispatchWithin",
                "\"AAPL\"             | \"AAPLE\"            | UNKNOWN_SYMBOL   | Symbols: AAPL, MSFT.",
                "\"environment\": \"paper\" | \"environment\": \"live\" | LIVE_NOT_ENABLED | berth.orders.live"
            })
    void invalidOrderIsRefused(String replace, String by, Problem problem, String because) {
        String body = GOOD.replace(replace, by == null ? "" : by);
        assertThat(body).isNotEqualTo(GOOD);
        assertRefused(problem, because, body, Optional.empty());
    }

    @Test
    void missingAccountIsRefused() {
        String body = GOOD.replaceAll(",\\s*\"account\": \\{[^}]*}", "");
        assertRefused(Problem.INVALID_ORDER, "account is missing", body, Optional.empty());
    }
}
