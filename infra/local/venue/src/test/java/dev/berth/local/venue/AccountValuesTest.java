package dev.berth.local.venue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AccountValuesTest extends VenueFixture {

    @Test
    void valuesIncludeSharesAndCrypto() throws Exception {
        client.submit("long", "qty", "10");
        client.submit("short", "symbol", "MSFT", "side", "sell", "qty", "5");
        client.submit("bitcoin", "symbol", "BTC/USD", "time_in_force", "gtc", "qty", "2");
        client.submit("resting", "symbol", "BTC/USD", "time_in_force", "gtc", "type", "limit", "limit_price", "50000");

        var account = client.get("/v2/account");

        assertThat(account.text("crypto_status")).isEqualTo("ACTIVE");
        assertThat(account.text("cash")).isEqualTo("9879479.85");
        assertThat(account.text("buying_power")).isEqualTo("9829479.85");
        // 10 at 99.99 and 1.995 at 59990; 5 at 100.01.
        assertThat(account.text("long_market_value")).isEqualTo("120679.95");
        assertThat(account.text("short_market_value")).isEqualTo("-500.05");
        assertThat(account.text("position_market_value")).isEqualTo("120179.9");
        assertThat(account.text("equity")).isEqualTo("9999659.75");
    }
}
