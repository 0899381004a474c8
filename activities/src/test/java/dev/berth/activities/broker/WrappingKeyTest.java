package dev.berth.activities.broker;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.amazonaws.encryptionsdk.AwsCrypto;
import dev.berth.activities.TestMoto;
import java.net.URI;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.retry.RetryMode;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.kms.KmsClient;
import software.amazon.cryptography.materialproviders.MaterialProviders;
import software.amazon.cryptography.materialproviders.model.MaterialProvidersConfig;

class WrappingKeyTest {
    private static final String ARN = "arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab";
    private static final PlainCredentials ALICES = PlainCredentials.of("PKALICE1234", "alices-own-secret");

    @TempDir
    private Path folder;

    @Test
    void aKeyFileOutlivesTheProcess() throws Exception {
        FileWrappingKey key = KeyFiles.make(folder.resolve("key"));
        String stored = new CredentialEnvelope(key).encrypt(ALICE, ACCOUNT, ALICES);
        PlainCredentials opened = new CredentialEnvelope(key).decrypt(ALICE, ACCOUNT, stored);
        assertThat(opened.keyId()).isEqualTo("PKALICE1234");
        assertThat(opened.secret()).isEqualTo("alices-own-secret");
    }

    @Test
    void ciphertextWithoutOwnerIsRejected() throws Exception {
        FileWrappingKey key = KeyFiles.make(folder.resolve("key"));
        MaterialProviders providers = MaterialProviders.builder()
                .MaterialProvidersConfig(MaterialProvidersConfig.builder().build())
                .build();
        byte[] ownerless = AwsCrypto.standard()
                .encryptData(key.keyring(providers), ALICES.plaintext())
                .getResult();
        String stored = Base64.getEncoder().encodeToString(ownerless);
        assertThatThrownBy(() -> new CredentialEnvelope(key).decrypt(ALICE, ACCOUNT, stored))
                .isInstanceOf(CredentialEnvelope.Unreadable.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----", "rwx------", "rw-rw-rw-"})
    void aKeyFileThatIsOpenToOthersIsRefused(String permissions) throws Exception {
        FileWrappingKey key = KeyFiles.make(folder.resolve("key"), 32, permissions);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CredentialEnvelope(key))
                .withMessageContaining(permissions)
                .withMessageContaining("chmod 600 " + key.file());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 16, 31, 33})
    void aKeyFileOfAnotherLengthIsRefused(int bytes) throws Exception {
        FileWrappingKey key = KeyFiles.make(folder.resolve("key"), bytes, "rw-------");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CredentialEnvelope(key))
                .withMessageContaining("has " + bytes + " bytes");
    }

    @Test
    void aKeyFileThatIsMissingIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CredentialEnvelope(new FileWrappingKey(folder.resolve("absent"))))
                .withMessageContaining("absent")
                .withMessageContaining("berth.accounts.key-file");
    }

    @ParameterizedTest
    @ValueSource(strings = {"alias/berth", "arn:aws:kms:eu-west-1:111122223333:alias/berth", "1234abcd", ""})
    void aKmsKeyIsNamedByItsArn(String name) {
        try (KmsClient kms = kms()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new KmsWrappingKey(name, kms))
                    .withMessageContaining("berth.accounts.kms-key");
        }
    }

    @Test
    void withKmsTheDataKeyIsMadeAndOpenedThere() {
        FakeKms kms = new FakeKms(ARN);
        CredentialEnvelope envelope = new CredentialEnvelope(new KmsWrappingKey(ARN, kms));
        String stored = envelope.encrypt(ALICE, ACCOUNT, ALICES);
        assertThat(envelope.decrypt(ALICE, ACCOUNT, stored).secret()).isEqualTo("alices-own-secret");
        assertThat(kms.contexts)
                .allSatisfy(context -> assertThat(context)
                        .containsEntry("berth:user", "alice")
                        .containsEntry("berth:account", ACCOUNT.toString()));
        assertThatThrownBy(() -> envelope.decrypt(BOB, ACCOUNT, stored))
                .isInstanceOf(CredentialEnvelope.Unreadable.class);
    }

    /** Unlike KMS, moto needs no permission for a key. */
    @Test
    void dataKeyOfMotoIsOpenedForItsOwnerAlone() throws Exception {
        try (TestMoto moto = TestMoto.start()) {
            String arn = moto.kms().createKey().keyMetadata().arn();
            CredentialEnvelope envelope = new CredentialEnvelope(new KmsWrappingKey(arn, moto.kms()));
            String stored = envelope.encrypt(ALICE, ACCOUNT, ALICES);
            assertThat(envelope.decrypt(ALICE, ACCOUNT, stored).secret()).isEqualTo("alices-own-secret");
            assertThatThrownBy(() -> envelope.decrypt(BOB, ACCOUNT, stored))
                    .isInstanceOf(CredentialEnvelope.Unreadable.class);
        }
    }

    @Test
    void aKmsThatIsUnavailableIsToldApartFromABrokenCiphertext() {
        String stored =
                new CredentialEnvelope(new KmsWrappingKey(ARN, new FakeKms(ARN))).encrypt(ALICE, ACCOUNT, ALICES);
        try (KmsClient kms = kms()) {
            CredentialEnvelope unavailable = new CredentialEnvelope(new KmsWrappingKey(ARN, kms));
            assertThatThrownBy(() -> unavailable.encrypt(ALICE, ACCOUNT, ALICES))
                    .isInstanceOf(CredentialEnvelope.KeyUnavailable.class)
                    .hasMessageNotContaining("alices-own-secret");
            assertThatThrownBy(() -> unavailable.decrypt(ALICE, ACCOUNT, stored))
                    .isInstanceOf(CredentialEnvelope.KeyUnavailable.class);
            assertThatThrownBy(() -> unavailable.decrypt(ALICE, ACCOUNT, "AAAA"))
                    .isInstanceOf(CredentialEnvelope.Unreadable.class);
        }
    }

    /** The production client, with an address without a server. */
    private static KmsClient kms() {
        return KmsClient.builder()
                .endpointOverride(URI.create("http://127.0.0.1:1"))
                .region(Region.EU_WEST_1)
                .overrideConfiguration(retries -> retries.retryStrategy(RetryMode.STANDARD))
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("id", "key")))
                .build();
    }
}
