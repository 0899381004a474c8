package dev.berth.workflows.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.entry;

import dev.berth.workflows.Json;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("Y4")
class CredentialSchemaTest {
    private static final CredentialSchema FIX =
            ServedBrokers.find(ServedBrokers.FIX).orElseThrow().credentials();

    private static Map<String, @Nullable Object> fields(String json) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        Map<?, ?> read = Json.read(json, Map.class);
        read.forEach((name, value) -> fields.put(String.valueOf(name), value));
        return fields;
    }

    @Test
    @DisplayName("What is given is read as text; null is an absent field")
    void givenFieldsAreText() {
        assertThat(FIX.read(fields("""
                        {"keyId": "ALICE", "secret": "hush", "host": "fix.example", "port": 4197, "tls": false,
                         "targetCompId": null}""")))
                .containsOnly(
                        entry("keyId", "ALICE"),
                        entry("secret", "hush"),
                        entry("host", "fix.example"),
                        entry("port", "4197"),
                        entry("tls", "false"));
    }

    @ParameterizedTest
    @DisplayName("What is wrong is named, and no value is repeated")
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "`{\"secret\": \"hush\"}`, keyId is missing.",
                "`{\"keyId\": \"A\"}`, secret is missing.",
                "`{\"keyId\": \"hu sh\", \"secret\": \"hush\"}`, keyId is 1 to 256 printable",
                "`{\"keyId\": \"A\", \"secret\": \"hush\\n\"}`, secret is 1 to 512 printable",
                "`{\"keyId\": \"A\", \"secret\": [\"hush\"]}`, secret is 1 to 512 printable",
                "`{\"keyId\": \"A\", \"secret\": \"hush\", \"hush\": 1}`, Field 3 of the body is unknown. Fields: keyId",
                "`{\"keyId\": \"A\", \"secret\": \"hush\", \"port\": 1}`, host is missing: port needs it.",
                "`{\"keyId\": \"A\", \"secret\": \"hush\", \"host\": \"h\"}`, port is missing: host needs it.",
                "`{\"keyId\": \"A\", \"secret\": \"hush\", \"host\": \"hush:1\", \"port\": 1}`, host is a host name",
                "`{\"keyId\": \"A\", \"secret\": \"hush\", \"host\": \"h\", \"port\": 0}`, port is a whole number from 1",
                "`{\"keyId\": \"A\", \"secret\": \"hush\", \"host\": \"h\", \"port\": 65536}`, port is a whole number",
                "`{\"keyId\": \"A\", \"secret\": \"hush\", \"host\": \"h\", \"port\": \"9880\"}`, port is a whole number",
                "`{\"keyId\": \"A\", \"secret\": \"hush\", \"tls\": \"true\"}`, tls is true or false.",
                "`{\"keyId\": \"A\", \"secret\": \"hush\", \"tlsAuthority\": \"hush\"}`, tlsAuthority is one or more X.509",
                "`{\"keyId\": \"A\", \"secret\": \"hush\", \"tlsKey\": \"-----BEGIN PRIVATE KEY-----hush-----END PRIVATE KEY-----\"}`, `tlsKey is a private key in PEM, PKCS #8`",
            })
    void wrongFieldIsNamed(String json, String error) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FIX.read(fields(json)))
                .withMessageStartingWith(error)
                .withMessageNotContaining("hush")
                .withNoCause();
    }

    @Test
    @DisplayName("A broker without credentials takes none, and all fields together have a limit")
    void sizeAndNumberAreLimited() {
        CredentialSchema none = new CredentialSchema(List.of());
        assertThat(none.read(Map.of())).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> none.read(Map.of("keyId", "A")))
                .withMessageContaining("Send {}.");
        List<CredentialField> many = IntStream.range(0, 65)
                .mapToObj(number -> CredentialField.optional("f" + number, CredentialForm.SECRET, ""))
                .toList();
        Map<String, Object> full = new LinkedHashMap<>();
        many.subList(0, 64).forEach(field -> full.put(field.name(), "x".repeat(512)));
        CredentialSchema schema = new CredentialSchema(many);
        assertThat(schema.read(full)).hasSize(64);
        full.put("f64", "x");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> schema.read(full))
                .withMessage("All fields together have at most 32 KiB.");
    }

    @Test
    @DisplayName("The JSON schema says of each field what is checked")
    void jsonSchemaHasEachField() {
        Map<String, Object> schema = FIX.json();
        assertThat(schema)
                .containsEntry("additionalProperties", false)
                .containsEntry("required", List.of("keyId", "secret"));
        assertThat(Json.write(schema))
                .contains(
                        "\"port\":[\"host\"]",
                        "\"tlsKey\":[\"tlsCertificate\"]",
                        "-----BEGIN CERTIFICATE-----",
                        "\"maximum\":65535");
        assertThat(FIX.fields())
                .filteredOn(CredentialField::secret)
                .extracting(CredentialField::name)
                .containsExactly("secret", "tlsKey");
        assertThat(Collections.frequency(
                        FIX.fields().stream().map(CredentialField::name).toList(), "host"))
                .isOne();
    }
}
