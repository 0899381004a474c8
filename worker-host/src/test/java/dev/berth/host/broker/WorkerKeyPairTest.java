package dev.berth.host.broker;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.activities.broker.PaperAccount;
import dev.berth.workflows.Json;
import dev.berth.workflows.broker.SealedCredentials;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class WorkerKeyPairTest {
    private final WorkerKeyPair keys = new WorkerKeyPair();
    private final SealedCredentials sealed = PaperAccount.seal(ALICE, keys.publicKey());

    @Test
    void opensSealedCredentials() {
        OpenedCredentials opened = keys.open(ALICE, sealed);
        assertThat(opened.account()).isEqualTo(PaperAccount.KEY);
        assertThat(opened.keyId()).isEqualTo("alice");
        assertThat(opened.secret()).isEqualTo("paper-alice");
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
        assertThat(PaperAccount.seal(ALICE, keys.publicKey())).isNotEqualTo(sealed);
    }

    @Test
    void credentialsPrintAsNothing() {
        assertThat(new BrokerCredentials("key", "secret")).hasToString("");
    }
}
