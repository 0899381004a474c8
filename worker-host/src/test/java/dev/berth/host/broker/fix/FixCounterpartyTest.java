package dev.berth.host.broker.fix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.host.broker.BrokerCredentials;
import dev.berth.host.broker.BrokerSession.RefusedException;
import dev.berth.workflows.broker.AccountKey;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import quickfix.Message;
import quickfix.field.Password;
import quickfix.field.Username;

@Tag("Y4")
class FixCounterpartyTest {
    private static final AccountKey PAPER = AccountKey.parse("fix/equity/paper/a");
    private static final AccountKey LIVE = AccountKey.parse("fix/equity/live/a");

    private static FixCounterparty of(AccountKey account, boolean tls, Map<String, String> fields)
            throws RefusedException {
        Map<String, String> all = new HashMap<>(fields);
        all.putAll(Map.of("keyId", "alice", "secret", "open-sesame"));
        return FixSettings.from(Map.of(
                        "BERTH_FIX_PAPER_ADDRESS", "paper.example:1",
                        "BERTH_FIX_LIVE_ADDRESS", "live.example:1",
                        "BERTH_FIX_TARGET_COMP_ID", "VENUE",
                        "BERTH_FIX_SENDER_SUB_ID", "desk",
                        "BERTH_FIX_TLS", String.valueOf(tls)))
                .of(account, new BrokerCredentials(all));
    }

    @Test
    @DisplayName("An account that says nothing has the deployment's counterparty")
    void deploymentIsTheDefault() throws Exception {
        FixCounterparty counterparty = of(PAPER, true, Map.of());
        assertThat(counterparty.address()).isEqualTo(new FixAddress("paper.example", 1));
        assertThat(counterparty.sessionId()).hasToString("FIX.4.4:alice/desk->VENUE");
        Message logon = new Message();
        counterparty.identify(logon);
        assertThat(logon.isSetField(Username.FIELD)).isFalse();
        assertThat(logon.getString(Password.FIELD)).isEqualTo("open-sesame");
        assertThat(counterparty.toString()).doesNotContain("open-sesame");
    }

    @Test
    @DisplayName("What an account says of both sides stands in its messages")
    void accountNamesBothSides() throws Exception {
        FixCounterparty counterparty = of(
                PAPER,
                true,
                Map.of("username", "al", "targetCompId", "OWN", "targetSubId", "gate", "senderSubId", "flat"));
        assertThat(counterparty.sessionId()).hasToString("FIX.4.4:alice/flat->OWN/gate");
        Message logon = new Message();
        counterparty.identify(logon);
        assertThat(logon.getString(Username.FIELD)).isEqualTo("al");
    }

    @ParameterizedTest
    @DisplayName("An account says whether its connection is encrypted; else the deployment does")
    @CsvSource({"true, , true", "true, false, false", "false, , false", "false, true, true"})
    void accountSwitchesTls(boolean deployment, String account, boolean encrypts) throws Exception {
        Map<String, String> fields = account == null ? Map.of() : Map.of("tls", account);
        assertThat(of(PAPER, deployment, fields).tls() != null).isEqualTo(encrypts);
    }

    @Test
    @Tag("X18")
    @DisplayName("No account switches encryption off for live orders")
    void liveAccountIsEncrypted() throws Exception {
        assertThat(of(LIVE, false, Map.of("tls", "true")).tls()).isNotNull();
        assertThatThrownBy(() -> of(LIVE, true, Map.of("tls", "false")))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("tls of the account");
    }
}
