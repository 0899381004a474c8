package dev.berth.temporal.codec;

import static dev.berth.temporal.OrderSamples.ALICE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.activities.TestMoto;
import dev.berth.activities.broker.FakeKms;
import dev.berth.temporal.TemporalClients;
import io.temporal.api.common.v1.Payload;
import io.temporal.common.converter.DataConverter;
import io.temporal.payload.context.WorkflowSerializationContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.kms.model.GenerateDataKeyRequest;
import software.amazon.awssdk.services.kms.model.GenerateDataKeyResponse;

class MasterKeyRotationTest {
    private static final Instant START = Instant.parse("2026-11-24T12:00:00Z");
    private static final Instant ACTIVATION = START.plus(Duration.ofMinutes(10));
    private static final String OLD = line(START, 'a');
    private static final String NEW = line(ACTIVATION, 'b');

    @TempDir
    private Path folder;

    private Path file;

    /** A process: its own clock, keys and converter. */
    private static final class Replica implements InstantSource {
        private Instant now = START;
        private final DerivedPayloadKeys keys;
        private final DataConverter converter;

        Replica(Path file) {
            keys = new DerivedPayloadKeys(new FileMasterKeys(file, this));
            converter = TemporalClients.encrypting(keys)
                    .withContext(new WorkflowSerializationContext("berth", "order:alice:o-1"));
        }

        @Override
        public Instant instant() {
            return now;
        }

        Payload write(String text) {
            return converter.toPayload(text).orElseThrow();
        }

        String read(Payload payload) {
            return converter.fromPayload(payload, String.class, String.class);
        }
    }

    private static String line(Instant from, char key) {
        byte[] bytes = Character.toString(key).repeat(32).getBytes(UTF_8);
        return from + " " + Base64.getEncoder().encodeToString(bytes) + "\n";
    }

    private static String keyId(Payload payload) {
        return payload.getMetadataOrThrow("encryption-key-id").toStringUtf8();
    }

    @BeforeEach
    void makeFile() throws IOException {
        file = folder.resolve("codec.key");
        write(OLD, START);
    }

    private void write(String content, Instant modified) throws IOException {
        Files.writeString(file, content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        Files.setLastModifiedTime(file, FileTime.from(modified));
    }

    @Test
    @Tag("X13")
    @DisplayName("A new master key encrypts from its time on in every running process, and the old one still decrypts")
    void rotatesWithoutStop() throws Exception {
        Replica first = new Replica(file);
        Replica second = new Replica(file);
        Payload before = first.write("before");
        write(OLD + NEW, START.plusSeconds(1));
        first.now = START.plusSeconds(10);
        assertThat(keyId(first.write("announced")))
                .as("a key that has not begun does not encrypt")
                .isEqualTo(keyId(before));
        first.now = ACTIVATION;
        Payload after = first.write("after");
        assertThat(keyId(after)).isNotEqualTo(keyId(before)).endsWith("/alice");
        // The second has not looked at the file since, and its clock is late.
        assertThat(second.read(after)).isEqualTo("after");
        assertThat(second.read(before)).isEqualTo("before");
        Payload late = second.write("late");
        assertThat(keyId(late)).isEqualTo(keyId(before));
        assertThat(first.read(late)).isEqualTo("late");
    }

    @Test
    void unknownMasterKeyIsMissing() {
        Replica replica = new Replica(file);
        assertThatThrownBy(() -> replica.keys.find(new PayloadKeyId("00000000", KeyOwner.of(ALICE))))
                .isInstanceOf(MissingPayloadKeyException.class);
    }

    @Test
    void brokenChangeKeepsTheKeys() throws Exception {
        Replica replica = new Replica(file);
        Payload before = replica.write("before");
        write("half a li", START.plusSeconds(1));
        replica.now = START.plusSeconds(10);
        assertThat(keyId(replica.write("after"))).isEqualTo(keyId(before));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "c2hvcnQ=",
                "2026-11-24T12:00:00Z c2hvcnQ=",
                "now YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE="
            })
    void unusableFileFailsTheStart(String content) throws Exception {
        write(content, START);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FileMasterKeys(file, () -> START))
                .withMessageContaining("base64")
                .withMessageNotContaining("YWFh");
    }

    @Test
    void openFileFailsTheStart() throws Exception {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FileMasterKeys(file, () -> START))
                .withMessageContaining("chmod 600");
    }

    @Test
    void keyThatKmsWrappedIsTheSameKey() throws Exception {
        FakeKms kms = new FakeKms("arn:aws:kms:eu-west-1:111122223333:key/1");
        GenerateDataKeyResponse made = kms.generateDataKey(GenerateDataKeyRequest.builder()
                .numberOfBytes(32)
                .encryptionContext(KmsUnwrapping.CONTEXT)
                .build());
        write(START + " " + base64(made.plaintext()), START);
        String plain = new FileMasterKeys(file, () -> START).current();
        write(START + " kms:" + base64(made.ciphertextBlob()), START);
        FileMasterKeys keys = new FileMasterKeys(file, () -> START, new KmsUnwrapping(() -> kms));
        assertThat(keys.current()).isEqualTo(plain);

        GenerateDataKeyResponse foreign = kms.generateDataKey(GenerateDataKeyRequest.builder()
                .numberOfBytes(32)
                .encryptionContext(Map.of("purpose", "other"))
                .build());
        write(START + " kms:" + base64(foreign.ciphertextBlob()), START);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FileMasterKeys(file, () -> START, new KmsUnwrapping(() -> kms)))
                .withMessageContaining("KMS does not open a master key");
    }

    @Test
    void keyThatMotoWrappedIsOpenedBySdkSettings() throws Exception {
        try (TestMoto moto = TestMoto.start()) {
            String arn = moto.kms().createKey().keyMetadata().arn();
            GenerateDataKeyResponse made = moto.kms()
                    .generateDataKey(key -> key.keyId(arn).numberOfBytes(32).encryptionContext(KmsUnwrapping.CONTEXT));
            write(START + " " + base64(made.plaintext()), START);
            String plain = new FileMasterKeys(file, () -> START).current();
            write(START + " kms:" + base64(made.ciphertextBlob()), START);
            assertThat(new FileMasterKeys(file, () -> START).current()).isEqualTo(plain);

            GenerateDataKeyResponse foreign = moto.kms()
                    .generateDataKey(
                            key -> key.keyId(arn).numberOfBytes(32).encryptionContext(Map.of("purpose", "other")));
            write(START + " kms:" + base64(foreign.ciphertextBlob()), START);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new FileMasterKeys(file, () -> START))
                    .withMessageContaining("KMS does not open a master key");
        }
    }

    private static String base64(SdkBytes key) {
        return Base64.getEncoder().encodeToString(key.asByteArray());
    }
}
