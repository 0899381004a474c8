package dev.berth.host.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.host.TestVenue;
import dev.berth.host.broker.BrokerSession.RefusedException;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.Environment;
import dev.berth.workflows.order.OrderPolicies;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AlpacaEndpointsTest {
    private static final AccountKey PAPER = new AccountKey("alpaca", "equity", Environment.PAPER, "mine");
    private static final AccountKey LIVE = new AccountKey("alpaca", "equity", Environment.LIVE, "mine");

    private static AlpacaEndpoints endpoints(String paper, @Nullable String live) {
        return new AlpacaEndpoints(URI.create(paper), live == null ? null : URI.create(live));
    }

    @Tag("X18")
    @DisplayName("The account's environment selects the endpoint")
    @Test
    void selectsEndpointByEnvironment() throws Exception {
        AlpacaEndpoints both = endpoints("https://paper-api.alpaca.markets", "https://api.alpaca.markets");
        assertThat(both.of(PAPER)).hasHost("paper-api.alpaca.markets");
        assertThat(both.of(LIVE)).hasHost("api.alpaca.markets");
        assertThat(endpoints("http://10.0.0.7:18090", null).of(PAPER)).hasHost("10.0.0.7");
        for (String loopback : new String[] {"http://localhost:1", "http://127.0.0.1:1", "http://[::1]:1"}) {
            assertThat(endpoints("http://127.0.0.1:2", loopback).of(LIVE)).hasToString(loopback);
        }
    }

    @Tag("X18")
    @DisplayName("An endpoint may be written with a slash or the version that stands in every path")
    @ParameterizedTest
    @ValueSource(strings = {"", "/", "//", "/v2", "/v2/"})
    void versionIsLeftOut(String end) throws Exception {
        String url = "https://paper-api.alpaca.markets";
        AlpacaEndpoints endpoints = AlpacaEndpoints.from(Map.of("BERTH_ALPACA_PAPER_URL", url + end));
        assertThat(endpoints.of(PAPER)).hasToString(url);
    }

    @Tag("X18")
    @DisplayName("A paper account never reaches the live endpoint")
    @ParameterizedTest
    @CsvSource({
        "https://api.alpaca.markets,",
        "https://API.alpaca.markets.:443/v2,",
        "http://127.0.0.1:18090, http://127.0.0.1:18090/",
        "https://broker.example, https://BROKER.example:443/live"
    })
    void refusesLiveEndpointForPaper(String paper, @Nullable String live) {
        assertThatThrownBy(() -> endpoints(paper, live).of(PAPER))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("alpaca/equity/paper/mine")
                .hasMessageContaining("BERTH_ALPACA_PAPER_URL");
    }

    @Tag("X18")
    @DisplayName("A live account needs an https endpoint of its own")
    @ParameterizedTest
    @CsvSource({
        ", BERTH_ALPACA_LIVE_URL is not set",
        "http://api.alpaca.markets, BERTH_ALPACA_LIVE_URL is plain http",
        "http://127.0.0.1.evil.example, BERTH_ALPACA_LIVE_URL is plain http",
        "https://paper-api.alpaca.markets, are the same server"
    })
    void refusesUnsafeLiveEndpoint(@Nullable String live, String why) {
        assertThatThrownBy(() ->
                        endpoints("https://paper-api.alpaca.markets", live).of(LIVE))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("alpaca/equity/live/mine")
                .hasMessageContaining(why);
    }

    @Tag("X18")
    @DisplayName("A refused session sends nothing")
    @Test
    void refusedSessionSendsNothing() {
        URI unreachable = URI.create("http://127.0.0.1:1");
        AlpacaConnector connector = new AlpacaConnector(
                () -> TestVenue.HTTP, new AlpacaEndpoints(unreachable, null), 1, OrderPolicies.OTHER_CALL);
        assertThatThrownBy(() -> connector.open(LIVE, new BrokerCredentials("k", "hush"), (_, _) -> {}))
                .isInstanceOf(RefusedException.class)
                .hasMessageNotContaining("hush");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "paper-api.alpaca.markets",
                "ftp://host/pass-word",
                "https:///v2",
                "mailto:pass-word",
                "http://user:pass-word@[",
                "http://a b/pass-word",
                "https://broker.example?key=pass-word",
                "https://broker.example/v2#pass-word"
            })
    void namesInvalidUrl(String url) {
        for (String variable : new String[] {"BERTH_ALPACA_PAPER_URL", "BERTH_ALPACA_LIVE_URL"}) {
            Map<String, String> environment = new HashMap<>(Map.of("BERTH_ALPACA_PAPER_URL", "http://ok"));
            environment.put(variable, url);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> AlpacaEndpoints.from(environment))
                    .withMessageContaining(variable)
                    .withMessageNotContaining("pass-word");
        }
    }
}
