package dev.berth.rest.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.activities.broker.Secret;
import dev.berth.rest.Problem;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** The body as the framework reads it, and as it would print it. */
class NewCredentialsTest {
    private final JsonMapper json = JsonMapper.builder().build();

    @Test
    void printsAsEmptyText() {
        NewCredentials read = json.readValue("{\"keyId\":\"PK\",\"secret\":\"hush\"}", NewCredentials.class);
        assertThat(read.checked("alpaca").secret().reveal()).isEqualTo("hush");
        assertThat(read).hasToString("");
        assertThat(json.writeValueAsString(read)).doesNotContain("hush");
    }

    @Test
    void missingFieldIsNamed() {
        assertThatThrownBy(() -> new NewCredentials(null, new Secret("hush")).checked("alpaca"))
                .isInstanceOf(Problem.Refusal.class)
                .hasMessage("keyId is missing.");
        assertThatThrownBy(() -> new NewCredentials("PK", null).checked("alpaca"))
                .isInstanceOf(Problem.Refusal.class)
                .hasMessage("secret is missing.");
        assertThatThrownBy(() -> new NewCredentials("P K", new Secret("hush")).checked("alpaca"))
                .isInstanceOf(Problem.Refusal.class)
                .hasMessageContaining("keyId is 1 to 256")
                .hasMessageNotContaining("P K");
    }

    @Test
    void remoteAccountHasNone() {
        assertThat(new NewCredentials(null, null).checked("remote").keyId()).isEqualTo("remote");
        assertThatThrownBy(() -> new NewCredentials("PK", null).checked("remote"))
                .isInstanceOf(Problem.Refusal.class)
                .hasMessageContaining("Send {}.");
    }
}
