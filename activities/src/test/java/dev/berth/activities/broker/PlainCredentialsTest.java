package dev.berth.activities.broker;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static dev.berth.temporal.OrderSamples.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.berth.temporal.broker.WorkerKeyPair;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlainCredentialsTest {
    @Test
    void printsAsNothing() throws Exception {
        PlainCredentials credentials = PlainCredentials.of("key", "hush-hush");
        assertThat(credentials).hasToString("");
        var json = new ObjectMapper().disable(SerializationFeature.FAIL_ON_EMPTY_BEANS);
        assertThat(json.writeValueAsString(credentials)).doesNotContain("hush");
    }

    @Test
    @Tag("Y4")
    @DisplayName("Every field of a broker is stored, and reaches the worker")
    void everyFieldReachesTheWorker() {
        Map<String, String> fields = Map.of("apiKey", "k", "personId", "A123", "caPath", "line 1\nline 2");
        WorkerKeyPair worker = new WorkerKeyPair();
        PlainCredentials stored = PlainCredentials.read(new PlainCredentials(fields).plaintext());
        assertThat(worker.open(ALICE, stored.seal(ALICE, ACCOUNT, 1, worker.publicKey()))
                        .fields())
                .isEqualTo(fields);
        assertThat(stored.maskedKeyId()).isEqualTo("****");
    }

    @ParameterizedTest
    @ValueSource(strings = {"hush", "[\"hush\"]", "{\"keyId\":[\"hush\"]}", "{\"keyId\":\"hush\",\"secret\":\"hush"})
    void whatCanNotBeReadIsNotRepeatedEither(String plaintext) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PlainCredentials.read(plaintext.getBytes(StandardCharsets.UTF_8)))
                .withMessage("what was stored are no credentials")
                .withNoCause();
    }

    @ParameterizedTest
    @CsvSource({"PKTEST1234567890, ****7890", "PKTEST12, ****ST12", "PKTEST1, ****", "bob, ****"})
    void aKeyIdIsShownByItsEndAlone(String keyId, String shown) {
        assertThat(PlainCredentials.of(keyId, "hush").maskedKeyId()).isEqualTo(shown);
    }
}
