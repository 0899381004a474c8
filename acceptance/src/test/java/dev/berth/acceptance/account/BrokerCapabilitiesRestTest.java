package dev.berth.acceptance.account;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.acceptance.rest.AccountsClient;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What brokers can do, as a client reads it, and what is refused because of it. */
@Tag("Y8")
@ExtendWith(StackExtension.class)
class BrokerCapabilitiesRestTest {
    private final Stack stack;

    BrokerCapabilitiesRestTest(Stack stack) {
        this.stack = stack;
    }

    private record AssetClassRow(String assetClass, List<String> orderTypes, List<String> timesInForce) {}

    private record Credentials(Map<String, Object> properties, List<String> required) {}

    private record Proof(String kind, String date, String version) {}

    private record BrokerRow(
            String broker, List<AssetClassRow> assetClasses, String identity, Credentials credentials, Proof proof) {}

    @Test
    @DisplayName("Each served broker is listed with what it takes, its identity, its credentials and its proof")
    void brokersAreListed() throws Exception {
        List<BrokerRow> brokers =
                stack.trader("capabilities").get("/v1/brokers").list("items", BrokerRow.class);
        assertThat(brokers).extracting(BrokerRow::broker).containsExactly("alpaca", "fix", "remote");
        assertThat(brokers).extracting(BrokerRow::identity).containsExactly("unique", "findable", "unique");
        BrokerRow alpaca = brokers.getFirst();
        assertThat(alpaca.identity()).isEqualTo("unique");
        assertThat(alpaca.credentials().required()).containsExactly("keyId", "secret");
        assertThat(alpaca.credentials().properties()).containsOnlyKeys("keyId", "secret");
        Credentials fix = brokers.get(1).credentials();
        assertThat(fix.required()).containsExactly("keyId", "secret");
        assertThat(fix.properties()).containsKeys("host", "port", "targetCompId", "tlsAuthority", "tlsKey");
        assertThat(alpaca.proof()).isEqualTo(new Proof("stand-in", "2026-11-30", "Trading API v2"));
        assertThat(alpaca.assetClasses())
                .contains(new AssetClassRow("crypto", List.of("market", "limit", "stop_limit"), List.of("gtc", "ioc")));
    }

    @ParameterizedTest
    @DisplayName("A part of an account that its broker does not show is refused at once")
    @CsvSource({"balances", "positions", "orders", "activities", "balances?fresh=true"})
    void unshownPartIsRefused(String part) throws Exception {
        Trader trader = stack.trader("capabilities-remote");
        String account = "remote/equity/paper/home";
        assertThat(new AccountsClient(stack, trader)
                        .put("/v1/accounts/" + account, "{}")
                        .status())
                .isEqualTo(200);
        JsonResponse refused = trader.get("/v1/accounts/" + account + "/" + part);
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.text("type")).endsWith("not-supported");
        assertThat(refused.text("detail")).contains(part.split("\\?", 2)[0]).contains("GET /v1/brokers");
        assertThat(trader.worker().epoch()).isZero();
    }
}
