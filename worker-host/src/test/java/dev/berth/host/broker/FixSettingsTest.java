package dev.berth.host.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.host.broker.BrokerSession.RefusedException;
import dev.berth.host.broker.fix.FixAddress;
import dev.berth.host.broker.fix.FixConnector;
import dev.berth.host.broker.fix.FixSettings;
import dev.berth.workflows.broker.AccountKey;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FixSettingsTest {
    private static final BrokerCredentials CREDENTIALS = new BrokerCredentials("alice", "open-sesame");

    @Test
    @DisplayName("Without settings no FIX account is served, connections are encrypted, and nothing is reset")
    void defaultsAreStrict() {
        FixSettings settings = FixSettings.from(Map.of());
        assertThat(settings.paper()).isNull();
        assertThat(settings.live()).isNull();
        assertThat(settings.targetCompId()).isEqualTo("VENUE");
        assertThat(settings.tls()).isTrue();
        assertThat(settings.resetOnLogon()).isFalse();
        assertThat(settings.heartbeat()).isEqualTo(Duration.ofSeconds(10));
        assertThat(FixSettings.from(Map.of("BERTH_FIX_PAPER_ADDRESS", "Fix.Broker.example:9880"))
                        .paper())
                .isEqualTo(new FixAddress("fix.broker.example", 9880));
    }

    @ParameterizedTest
    @DisplayName("A variable that is wrong is named, without its value")
    @CsvSource({
        "BERTH_FIX_PAPER_ADDRESS, user:secret@host:1",
        "BERTH_FIX_PAPER_ADDRESS, host",
        "BERTH_FIX_LIVE_ADDRESS, host:99999",
        "BERTH_FIX_PAPER_ALLOWED, 'a.example:1, secret.example'",
        "BERTH_FIX_LIVE_ALLOWED, '*:9880'",
        "BERTH_FIX_TLS, yes",
        "BERTH_FIX_HEARTBEAT, PT1S",
        "BERTH_FIX_HEARTBEAT, ten",
        "BERTH_FIX_TARGET_COMP_ID, two words",
    })
    void wrongVariableIsNamed(String name, String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FixSettings.from(Map.of(name, value)))
                .withMessageContaining(name)
                .withMessageNotContaining("secret");
    }

    @Tag("X18")
    @ParameterizedTest
    @DisplayName("An account whose counterparty must not be reached gets no session, and the setting is named")
    @CsvSource({
        "paper, '', '', true, BERTH_FIX_PAPER_ADDRESS is not set",
        "live, paper.example:1, '', true, BERTH_FIX_LIVE_ADDRESS is not set",
        "paper, same.example:1, same.example:1, true, are the same server",
        "live, paper.example:1, live.example:1, false, BERTH_FIX_TLS is false",
    })
    void forbiddenCounterpartyIsRefused(String environment, String paper, String live, String tls, String why) {
        FixSettings settings = FixSettings.from(
                Map.of("BERTH_FIX_PAPER_ADDRESS", paper, "BERTH_FIX_LIVE_ADDRESS", live, "BERTH_FIX_TLS", tls));
        InMemoryFixJournal journal = new InMemoryFixJournal();
        FixConnector connector = new FixConnector(settings, _ -> journal.of(7), 7, Duration.ofSeconds(1));
        AccountKey account = AccountKey.parse("fix/equity/" + environment + "/a");
        assertThatThrownBy(() -> connector.open(account, CREDENTIALS, (_, _) -> {}))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining(why)
                .hasMessageNotContaining("open-sesame");
    }

    @Tag("X18")
    @Tag("Y4")
    @ParameterizedTest
    @DisplayName("An account names a counterparty of its environment that the operator allows, and no other")
    @CsvSource({
        "paper, paper.example, 1, true",
        "paper, any.example, 4197, true",
        "paper, ANY.example, 4197, true",
        "paper, any.example, 4198, false",
        "paper, fix.wide.example, 2, true",
        "paper, wide.example, 2, false",
        "paper, fixwide.example, 2, false",
        "paper, fix.wide.example.evil, 2, false",
        "paper, live.example, 1, false",
        "paper, shared.example, 3, false",
        "paper, 169.254.169.254, 80, false",
        "paper, localhost, 6379, false",
        "live, live.example, 1, true",
        "live, paper.example, 1, false",
        "live, shared.example, 3, false",
    })
    void accountNamesAllowedCounterparty(String environment, String host, String port, boolean allowed)
            throws Exception {
        FixSettings settings = FixSettings.from(Map.of(
                "BERTH_FIX_PAPER_ADDRESS", "paper.example:1",
                "BERTH_FIX_LIVE_ADDRESS", "live.example:1",
                "BERTH_FIX_PAPER_ALLOWED", "any.example:4197,*.wide.example:2,shared.example:3",
                "BERTH_FIX_LIVE_ALLOWED", "shared.example:3"));
        BrokerCredentials credentials =
                new BrokerCredentials(Map.of("keyId", "alice", "secret", "open-sesame", "host", host, "port", port));
        AccountKey account = AccountKey.parse("fix/equity/" + environment + "/a");
        if (allowed) {
            assertThat(settings.addressOf(account, credentials))
                    .hasToString(new FixAddress(host, Integer.parseInt(port)).toString());
        } else {
            assertThatThrownBy(() -> settings.addressOf(account, credentials))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("BERTH_FIX_" + environment.toUpperCase(Locale.ROOT) + "_ALLOWED")
                    .hasMessageNotContaining("open-sesame");
        }
    }
}
