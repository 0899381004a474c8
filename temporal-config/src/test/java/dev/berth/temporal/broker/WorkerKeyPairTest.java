package dev.berth.temporal.broker;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.workflows.Json;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.Environment;
import dev.berth.workflows.broker.SealedCredentials;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class WorkerKeyPairTest {
    private static final OpenedCredentials CREDENTIALS = new OpenedCredentials(
            new AccountKey("alpaca", "equity", Environment.PAPER, "paper"),
            Map.of("keyId", "alice", "secret", "paper-alice"));

    private final WorkerKeyPair keys = new WorkerKeyPair();
    private final SealedCredentials sealed = CredentialSeal.seal(ALICE, 3, keys.publicKey(), CREDENTIALS);

    @Test
    void opensSealedCredentials() {
        assertThat(keys.open(ALICE, sealed)).isEqualTo(CREDENTIALS);
        assertThat(sealed.version()).isEqualTo(3);
    }

    @Tag("A1")
    @DisplayName("Credentials open for one user and process")
    @Test
    void opensForNoOther() {
        assertThatIllegalArgumentException().isThrownBy(() -> keys.open(BOB, sealed));
        assertThatIllegalArgumentException().isThrownBy(() -> new WorkerKeyPair().open(ALICE, sealed));
    }

    @Test
    void sealHidesSecret() {
        assertThat(Json.write(sealed)).doesNotContain("paper-alice");
        assertThat(CredentialSeal.seal(ALICE, 3, keys.publicKey(), CREDENTIALS)).isNotEqualTo(sealed);
    }

    @Test
    void otherKeysAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> CredentialSeal.seal(ALICE, 3, "c2hvcnQ=", CREDENTIALS));
    }

    @Test
    void credentialsPrintAsNothing() {
        assertThat(CREDENTIALS).hasToString("");
    }
}
