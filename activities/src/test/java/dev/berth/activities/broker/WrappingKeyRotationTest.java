package dev.berth.activities.broker;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.activities.TestPostgres;
import dev.berth.temporal.broker.WorkerKeyPair;
import dev.berth.workflows.UserId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@Tag("A8")
class WrappingKeyRotationTest {
    private static final PlainCredentials FIRST = PlainCredentials.of("PKALICE1234", "the-first-secret");
    private static final PlainCredentials SECOND = PlainCredentials.of("PKBOB1234", "the-second-secret");

    @RegisterExtension
    private static final TestPostgres postgres = new TestPostgres();

    @TempDir
    private Path folder;

    private final AccountStore accounts = new AccountStore(postgres.client(), false);
    private final WorkerKeyPair worker = new WorkerKeyPair();
    private Path before;
    private Path added;
    private Path after;

    /** A new key comes behind the old one, then before it, then the old one goes. */
    @BeforeEach
    void makeKeys() throws Exception {
        before = KeyFiles.make(folder.resolve("before")).file();
        after = KeyFiles.make(folder.resolve("after")).file();
        added = join("added", before, after);
    }

    private Path join(String name, Path first, Path second) throws Exception {
        Path both = KeyFiles.make(folder.resolve(name), 0, "rw-------").file();
        Files.write(both, Files.readAllBytes(first), StandardOpenOption.APPEND);
        return Files.write(both, Files.readAllBytes(second), StandardOpenOption.APPEND);
    }

    private StoredCredentials with(Path keys) {
        return new StoredCredentials(accounts, envelope(keys), false);
    }

    private static CredentialEnvelope envelope(Path keys) {
        return new CredentialEnvelope(new FileWrappingKey(keys));
    }

    private String open(StoredCredentials credentials, UserId userId) throws Exception {
        return worker.open(userId, credentials.seal(userId, ACCOUNT, worker.publicKey()))
                .fields()
                .getOrDefault("secret", "");
    }

    private String ciphertext(UserId userId) {
        return Objects.requireNonNull(postgres.client()
                .queryForObject("SELECT ciphertext FROM accounts WHERE user_id = ?", String.class, userId.value()));
    }

    @Test
    @DisplayName("Processes with the next key file and the one before it open each other's credentials")
    void neighbouringKeyFilesOpenTheSame() throws Exception {
        Path swapped = join("swapped", after, before);
        with(before).store(ALICE, ACCOUNT, FIRST);
        assertThat(open(with(added), ALICE)).isEqualTo("the-first-secret");
        with(added).store(ALICE, ACCOUNT, FIRST);
        assertThat(open(with(before), ALICE)).isEqualTo("the-first-secret");
        with(swapped).store(ALICE, ACCOUNT, FIRST);
        assertThat(open(with(added), ALICE)).isEqualTo("the-first-secret");
    }

    @Test
    @DisplayName("After a start with the new key first, the old key opens nothing and is not needed")
    void oldKeyIsWithdrawn() throws Exception {
        with(before).store(ALICE, ACCOUNT, FIRST);
        long version = with(before).store(BOB, ACCOUNT, SECOND).version();
        CredentialEnvelope swapped = envelope(join("swapped", after, before));
        swapped.renewAll(accounts.ciphertexts());
        assertThat(open(with(after), ALICE)).isEqualTo("the-first-secret");
        assertThat(open(with(after), BOB)).isEqualTo("the-second-secret");
        assertThat(with(after).seal(BOB, ACCOUNT, worker.publicKey()).version()).isEqualTo(version);
        assertThatThrownBy(() -> open(with(before), ALICE)).hasMessageContaining("cannot be decrypted");
        String renewed = ciphertext(ALICE);
        swapped.renewAll(accounts.ciphertexts());
        assertThat(ciphertext(ALICE)).isEqualTo(renewed);
    }

    @Test
    @DisplayName("What no key opens stays as it is, and does not keep the others from the new key")
    void unreadableStaysAndHoldsNothingUp() throws Exception {
        with(KeyFiles.make(folder.resolve("lost")).file()).store(ALICE, ACCOUNT, FIRST);
        String lost = ciphertext(ALICE);
        with(before).store(BOB, ACCOUNT, SECOND);
        envelope(join("swapped", after, before)).renewAll(accounts.ciphertexts());
        assertThat(ciphertext(ALICE)).isEqualTo(lost);
        assertThat(open(with(after), BOB)).isEqualTo("the-second-secret");
    }
}
