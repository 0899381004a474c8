package dev.berth.local.venue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AssetTest extends VenueFixture {

    private List<String> symbols(String query) throws Exception {
        return client.get("/v2/assets" + query).body().findValuesAsText("symbol");
    }

    @Test
    void assetsAreListedAndFiltered() throws Exception {
        assertThat(symbols("")).containsExactly("AAPL", "MSFT", "NVDA", "SPY", "TSLA");
        assertThat(symbols("?status=active&asset_class=us_equity")).hasSize(5);
        assertThat(symbols("?exchange=ARCA")).containsExactly("SPY");
        assertThat(symbols("?status=inactive")).isEmpty();
        assertThat(symbols("?asset_class=us_option")).isEmpty();
    }

    @Test
    void assetIsFoundBySymbolAndId() throws Exception {
        var asset = client.get("/v2/assets/NVDA");

        assertThat(asset.text("class")).isEqualTo("us_equity");
        assertThat(asset.body().path("shortable").asBoolean()).isTrue();
        assertThat(client.get("/v2/assets/" + asset.text("id"))).isEqualTo(asset);
        assertThat(client.get("/v2/assets/XYZ").body().path("code").asInt()).isEqualTo(40410000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"?status=old", "?asset_class=bond"})
    void invalidFilterIsRefused(String query) throws Exception {
        assertThat(client.get("/v2/assets" + query).status()).isEqualTo(422);
    }
}
