package dev.berth.host.broker;

import static dev.berth.host.Samples.ALICE;
import static dev.berth.host.Samples.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.activities.broker.PaperAccount;
import dev.berth.workflows.Json;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.Environment;
import dev.berth.workflows.broker.SealedCredentials;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class CredentialKeysTest {
    private final CredentialKeys keys = new CredentialKeys();
    private final SealedCredentials sealed = PaperAccount.seal(ALICE, keys.publicKey());

    @Test
    void opensWhatWasSealedForIt() {
        Credentials opened = keys.open(ALICE, sealed);
        assertThat(opened.keyId()).isEqualTo("alice");
        assertThat(opened.secret()).isEqualTo("paper-alice");
    }

    @DisplayName("A1 credentials open for one user, one account and one process alone")
    @Test
    void opensForNobodyElse() {
        AccountKey other = new AccountKey("alpaca", "equity", Environment.PAPER, "other");
        assertThatIllegalArgumentException().isThrownBy(() -> keys.open(BOB, sealed));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> keys.open(
                        ALICE,
                        new SealedCredentials(other, sealed.version(), sealed.encapsulation(), sealed.ciphertext())));
        assertThatIllegalArgumentException().isThrownBy(() -> new CredentialKeys().open(ALICE, sealed));
    }

    @Test
    void theSecretIsNotReadableOnItsWay() {
        assertThat(Json.write(sealed)).doesNotContain("paper-alice");
        assertThat(PaperAccount.seal(ALICE, keys.publicKey())).isNotEqualTo(sealed);
    }

    @Test
    void credentialsPrintAsNothing() {
        assertThat(new Credentials("key", "secret")).hasToString("");
    }
}
