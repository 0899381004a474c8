package dev.berth.activities.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SecretTest {
    @Test
    void printsAsNothing() throws Exception {
        Secret secret = new Secret("hush-hush");
        assertThat(secret).hasToString("");
        assertThat(new PlainCredentials("key", secret)).hasToString("");
        var json = new ObjectMapper().disable(SerializationFeature.FAIL_ON_EMPTY_BEANS);
        assertThat(json.writeValueAsString(secret)).isEqualTo("{}");
        assertThat(json.writeValueAsString(new PlainCredentials("key", secret))).doesNotContain("hush");
    }

    @ParameterizedTest
    @ValueSource(strings = {"hush", "{\"keyId\":[\"hush\"]}", "{\"keyId\":\"hush\",\"secret\":\"hush"})
    void whatCanNotBeReadIsNotRepeatedEither(String plaintext) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PlainCredentials.read(plaintext.getBytes(StandardCharsets.UTF_8)))
                .withMessage("what was stored are no credentials")
                .withNoCause();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "two words", "line\nbreak", "hüsh"})
    void whatCanBeNoSecretIsRefusedWithoutARepetition(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Secret(text))
                .withMessage("secret is 1 to 512 printable ASCII characters without spaces.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PlainCredentials(text, new Secret("hush")))
                .withMessage("keyId is 1 to 256 printable ASCII characters without spaces.");
    }

    @ParameterizedTest
    @CsvSource({"PKTEST1234567890, ****7890", "PKTEST12, ****ST12", "PKTEST1, ****", "bob, ****"})
    void aKeyIdIsShownByItsEndAlone(String keyId, String shown) {
        assertThat(new PlainCredentials(keyId, new Secret("hush")).maskedKeyId())
                .isEqualTo(shown);
    }
}
