package dev.berth.activities.broker;

import static dev.berth.activities.Samples.ACCOUNT;
import static dev.berth.activities.Samples.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.Environment;
import io.temporal.failure.ApplicationFailure;
import org.junit.jupiter.api.Test;

class LocalCredentialsTest {
    private final LocalCredentials credentials = new LocalCredentials();

    @Test
    void anUnknownAccountIsNotTriedAgain() {
        AccountKey live = new AccountKey("alpaca", "equity", Environment.LIVE, "paper");
        assertThat(credentials.knows(ALICE, ACCOUNT)).isTrue();
        assertThat(credentials.knows(ALICE, live)).isFalse();
        assertThatThrownBy(() -> credentials.seal(ALICE, live, "key"))
                .isInstanceOfSatisfying(ApplicationFailure.class, failure -> {
                    assertThat(failure.getType()).isEqualTo("account-unknown");
                    assertThat(failure.isNonRetryable()).isTrue();
                });
    }

    @Test
    void credentialsPrintAsNothing() {
        assertThat(new Credentials("key", "secret")).hasToString("");
    }
}
