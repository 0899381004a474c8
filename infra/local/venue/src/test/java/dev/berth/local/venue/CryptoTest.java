package dev.berth.local.venue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The crypto pair trades by rules of its own, and costs a fee. */
class CryptoTest extends VenueFixture {

    private VenueClient.VenueResponse bitcoin(String id, String... fields) throws Exception {
        var all = new String[fields.length + 4];
        System.arraycopy(new String[] {"symbol", "BTC/USD", "time_in_force", "gtc"}, 0, all, 0, 4);
        System.arraycopy(fields, 0, all, 4, fields.length);
        return client.submit(id, all);
    }

    private String cash() throws Exception {
        return client.get("/v2/account").text("cash");
    }

    private String fee(int order) throws Exception {
        return client.book().get(order).at("/fills/0/fee").asText();
    }

    @Test
    @DisplayName("A buy pays its fee in the currency it receives, and the position is net of it")
    void buyReceivesBitcoinMinusFee() throws Exception {
        var buy = bitcoin("a", "qty", "2");

        assertThat(buy.text("symbol")).isEqualTo("BTC/USD");
        assertThat(buy.text("asset_class")).isEqualTo("crypto");
        assertThat(buy.text("filled_qty")).isEqualTo("2");
        assertThat(buy.text("filled_avg_price")).isEqualTo("60010");
        assertThat(fee(0)).isEqualTo("0.005");
        assertThat(cash()).isEqualTo("9879980");
        var position = client.get("/v2/positions/BTC%2FUSD");
        assertThat(position.text("qty")).isEqualTo("1.995");
        assertThat(position.text("symbol")).isEqualTo("BTCUSD");
        assertThat(position.text("exchange")).isEqualTo("CRYPTO");
        assertThat(client.get("/v2/positions/BTCUSD")).isEqualTo(position);
    }

    @Test
    @DisplayName("A sell pays its fee in US dollars")
    void sellReceivesCashMinusFee() throws Exception {
        bitcoin("a", "qty", "2");

        bitcoin("b", "qty", "1", "side", "sell");

        assertThat(fee(1)).isEqualTo("149.975");
        assertThat(cash()).isEqualTo("9939820.025");
        assertThat(client.get("/v2/positions/BTCUSD").text("qty")).isEqualTo("0.995");
    }

    @Test
    @DisplayName("A limit order that rested pays the fee of a maker, a triggered or market order that of a taker")
    void restingLimitOrderPaysMakerFee() throws Exception {
        bitcoin("maker", "qty", "1", "type", "limit", "limit_price", "50000");
        bitcoin("taker", "qty", "1", "type", "limit", "limit_price", "70000");
        bitcoin("stop", "qty", "1", "type", "stop_limit", "stop_price", "61000", "limit_price", "70000");

        client.quote("BTCUSD", "{\"bid\":\"61000\",\"ask\":\"62000\"}");
        client.quote("BTC%2FUSD", "{\"bid\":\"40000\",\"ask\":\"50000\",\"askSize\":\"1\"}");

        assertThat(fee(0)).isEqualTo("0.0015");
        assertThat(fee(1)).isEqualTo("0.0025");
        assertThat(fee(2)).isEqualTo("0.0025");
        bitcoin("market", "qty", "1");
        client.quote("BTCUSD", "{\"bid\":\"40000\",\"ask\":\"50000\"}");
        assertThat(fee(3)).isEqualTo("0.0025");
    }

    @Test
    void feesAreActivities() throws Exception {
        bitcoin("a", "qty", "2");
        bitcoin("b", "qty", "1", "side", "sell");
        client.submit("share");

        var fees = client.get("/v2/account/activities/CFEE?direction=asc").body();

        assertThat(fees).hasSize(2);
        assertThat(fees.findValuesAsText("qty")).containsExactly("-0.005", "0");
        assertThat(fees.findValuesAsText("net_amount")).containsExactly("0", "-149.975");
        assertThat(fees.findValuesAsText("price")).containsExactly("60010", "59990");
        assertThat(fees.findValuesAsText("symbol")).containsOnly("BTCUSD");
        assertThat(fees.findValuesAsText("status")).containsOnly("executed");
        assertThat(fees.get(0).path("description").asText()).isEqualTo("Coin Pair Transaction Fee (Non USD)");
        assertThat(fees.get(0).path("id").asText())
                .matches(fees.get(0).path("date").asText().replace("-", "") + "0{9}::[-0-9a-f]{36}");
        assertThat(client.get("/v2/account/activities?activity_types=MISC").body())
                .hasSize(2);
        assertThat(client.get("/v2/account/activities").body()).hasSize(5);
        assertThat(client.book().getLast().at("/fills/0/fee").isNull()).isTrue();
    }

    @Test
    @DisplayName("Bitcoin is not sold short, and held bitcoin is not sold twice")
    void onlyHeldBitcoinIsSold() throws Exception {
        var refused = bitcoin("a", "qty", "1", "side", "sell");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.body().path("code").asInt()).isEqualTo(40310000);
        assertThat(refused.text("message")).isEqualTo("insufficient balance for BTC (requested: 1, available: 0)");
        bitcoin("b", "qty", "2");
        bitcoin("c", "qty", "1", "side", "sell", "type", "limit", "limit_price", "70000");

        assertThat(bitcoin("d", "qty", "1", "side", "sell").text("message"))
                .isEqualTo("insufficient balance for BTC (requested: 1, available: 0.995)");
        assertThat(client.get("/v2/positions/BTCUSD").text("qty_available")).isEqualTo("0.995");
        assertThat(bitcoin("e", "qty", "200").text("message"))
                .isEqualTo("insufficient balance for USD (requested: 12002000, available: 9879980)");
    }

    @ParameterizedTest
    @CsvSource({
        "time_in_force, day, 422, invalid crypto time_in_force",
        "time_in_force, fok, 422, invalid crypto time_in_force",
        "qty, 0.00009, 403, order qty must be >= minimal qty of order 0.0001",
        "qty, 0.1234567891, 422, qty has too many digits"
    })
    void unsupportedOrderIsRefused(String field, String value, int status, String message) throws Exception {
        var answer = bitcoin("a", field, value);

        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.text("message")).isEqualTo(message);
        assertThat(client.book()).isEmpty();
    }

    @Test
    void priceIsMultipleOfIncrement() throws Exception {
        assertThat(bitcoin("a", "type", "limit", "limit_price", "59990.5").status())
                .isEqualTo(422);
        assertThat(bitcoin("b", "type", "stop", "stop_price", "70000").text("message"))
                .isEqualTo("invalid order type for crypto order");
        assertThat(bitcoin("c", "type", "limit", "limit_price", "59990", "qty", "0.123456789")
                        .status())
                .isEqualTo(200);
        assertThat(client.patch(client.book().getFirst().path("id").asText(), "{\"limit_price\":\"59990.5\"}")
                        .status())
                .isEqualTo(422);
    }

    @Test
    void symbolNeedsNoSlash() throws Exception {
        var order = client.submit("a", "symbol", "BTCUSD", "time_in_force", "ioc", "qty", "0.5");

        assertThat(order.text("symbol")).isEqualTo("BTC/USD");
        assertThat(client.get("/v2/orders?status=all&symbols=BTCUSD").body()).hasSize(1);
        assertThat(client.get("/v2/orders?status=all&symbols=AAPL").body()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"BTCUSD", "BTC%2FUSD"})
    void positionIsClosedGoodTillCanceled(String symbol) throws Exception {
        bitcoin("a", "qty", "1");

        var order = client.delete("/v2/positions/" + symbol);

        assertThat(order.text("time_in_force")).isEqualTo("gtc");
        assertThat(order.text("filled_qty")).isEqualTo("0.9975");
        assertThat(client.get("/v2/positions").body()).isEmpty();
    }

    @Test
    void assetShowsItsIncrements() throws Exception {
        var asset = client.get("/v2/assets/BTC%2FUSD");

        assertThat(asset.text("symbol")).isEqualTo("BTC/USD");
        assertThat(asset.text("class")).isEqualTo("crypto");
        assertThat(asset.text("min_order_size")).isEqualTo("0.0001");
        assertThat(asset.text("min_trade_increment")).isEqualTo("0.000000001");
        assertThat(asset.text("price_increment")).isEqualTo("1");
        assertThat(asset.body().path("shortable").asBoolean(true)).isFalse();
        assertThat(client.get("/v2/assets?asset_class=crypto").body().get(0)).isEqualTo(asset.body());
    }

    @Test
    void cryptoQuotesHaveTheirOwnRoute() throws Exception {
        assertThat(client.get("/v1beta3/crypto/us/latest/quotes?symbols=BTC%2FUSD,AAPL")
                        .body()
                        .path("quotes")
                        .path("BTC/USD")
                        .path("ap")
                        .asInt())
                .isEqualTo(60010);
        assertThat(client.get("/v2/stocks/quotes/latest?symbols=BTC%2FUSD")
                        .body()
                        .path("quotes"))
                .isEmpty();
    }

    @Test
    @DisplayName("A bust returns the fee, and a correction of a sell corrects it")
    void bustAndCorrectionIncludeFee() throws Exception {
        bitcoin("a", "qty", "1");
        var sell = bitcoin("b", "qty", "0.5", "side", "sell").text("id");
        var execution = client.book().getLast().at("/fills/0/execution_id").asText();

        var corrected = client.post(
                "/_control/orders/" + sell + "/corrections",
                "{\"executionId\":\"%s\",\"price\":\"60000\"}".formatted(execution));

        assertThat(corrected.text("fee")).isEqualTo("75");
        assertThat(cash()).isEqualTo("9969915");
        for (var order : client.book()) {
            client.post(
                    "/_control/orders/" + order.path("id").asText() + "/busts",
                    "{\"executionId\":\"%s\"}"
                            .formatted(order.at("/fills/0/execution_id").asText()));
        }
        assertThat(cash()).isEqualTo("10000000");
        assertThat(client.get("/v2/positions").body()).isEmpty();
        assertThat(client.get("/v2/account/activities").body()).isEmpty();
    }
}
