package dev.berth.activities.broker;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.activities.TestPostgres;
import dev.berth.temporal.broker.OpenedCredentials;
import dev.berth.temporal.broker.WorkerKeyPair;
import dev.berth.workflows.FailureType;
import dev.berth.workflows.Json;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.Environment;
import io.temporal.failure.ApplicationFailure;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class StoredCredentialsTest {
    private static final PlainCredentials ALICES = PlainCredentials.of("PKALICE1234", "alices-own-secret");
    private static final AccountKey OTHER = new AccountKey("alpaca", "equity", Environment.PAPER, "other");

    @RegisterExtension
    private static final TestPostgres postgres = new TestPostgres();

    @TempDir
    private Path folder;

    private final AccountStore accounts = new AccountStore(postgres.client(), false);
    private StoredCredentials credentials;

    private final WorkerKeyPair worker = new WorkerKeyPair();

    @BeforeEach
    void start() throws Exception {
        credentials = new StoredCredentials(
                accounts, new CredentialEnvelope(KeyFiles.make(folder.resolve("accounts.key"))), false);
    }

    private void assertFails(String type, UserId userId, AccountKey account) {
        assertFails(type, credentials, userId, account);
    }

    private void assertFails(String type, StoredCredentials from, UserId userId, AccountKey account) {
        assertThatThrownBy(() -> from.seal(userId, account, worker.publicKey()))
                .isInstanceOfSatisfying(ApplicationFailure.class, failure -> {
                    assertThat(failure.getType()).isEqualTo(type);
                    assertThat(failure.isNonRetryable()).isTrue();
                })
                .hasMessageContaining(account.toString())
                .hasMessageNotContaining("alices-own-secret");
    }

    private String stored() {
        return Objects.requireNonNull(postgres.client()
                .queryForObject("SELECT ciphertext FROM accounts WHERE user_id = 'alice'", String.class));
    }

    @DisplayName("The paper account reaches the worker sealed, too")
    @Test
    void paperAccountIsSealed() {
        assertThat(worker.open(ALICE, PaperAccount.seal(ALICE, worker.publicKey())))
                .isEqualTo(new OpenedCredentials(PaperAccount.KEY, Map.of("keyId", "alice", "secret", "paper-alice")));
    }

    @Tag("A8")
    @DisplayName("What was stored reaches the worker sealed, with its version")
    @Test
    void reachesTheWorker() throws Exception {
        var stored = credentials.store(ALICE, ACCOUNT, ALICES);
        var sealed = credentials.seal(ALICE, ACCOUNT, worker.publicKey());
        assertThat(sealed.version()).isEqualTo(stored.version());
        assertThat(worker.open(ALICE, sealed))
                .isEqualTo(
                        new OpenedCredentials(ACCOUNT, Map.of("keyId", "PKALICE1234", "secret", "alices-own-secret")));
        assertThat(Json.write(sealed)).doesNotContain(ACCOUNT.accountId());
    }

    @Tag("A1")
    @DisplayName("Neither key id nor secret can be read in the database")
    @Test
    void isNotReadableInTheDatabase() {
        credentials.store(ALICE, ACCOUNT, ALICES);
        String row = postgres.client().queryForMap("SELECT * FROM accounts").toString();
        String text = new String(Base64.getDecoder().decode(stored()), StandardCharsets.ISO_8859_1);
        assertThat(row + text)
                .contains("alice")
                .doesNotContain("alices-own-secret")
                .doesNotContain("PKALICE1234");
    }

    @Tag("A1")
    @DisplayName("A ciphertext that was moved to another user or another account does not open")
    @Test
    void aMovedRowDoesNotOpen() throws Exception {
        credentials.store(ALICE, ACCOUNT, ALICES);
        postgres.client().update("UPDATE accounts SET user_id = 'bob'");
        assertFails(FailureType.ACCOUNT_UNREADABLE.code(), BOB, ACCOUNT);
        assertFails(FailureType.ACCOUNT_UNKNOWN.code(), ALICE, ACCOUNT);
        postgres.client().update("UPDATE accounts SET user_id = 'alice', account = ?", OTHER.toString());
        assertFails(FailureType.ACCOUNT_UNREADABLE.code(), ALICE, OTHER);
        postgres.client().update("UPDATE accounts SET account = ?", ACCOUNT.toString());
        assertThat(worker.open(ALICE, credentials.seal(ALICE, ACCOUNT, worker.publicKey()))
                        .fields())
                .containsEntry("keyId", "PKALICE1234");
    }

    @Tag("A1")
    @DisplayName("A ciphertext that was changed in any place, cut or replaced does not open")
    @Test
    void aChangedRowDoesNotOpen() {
        credentials.store(ALICE, ACCOUNT, ALICES);
        byte[] good = Base64.getDecoder().decode(stored());
        IntStream.iterate(0, at -> at < good.length, at -> at + 13).forEach(at -> {
            byte[] bad = good.clone();
            bad[at] ^= 1;
            overwrite(Base64.getEncoder().encodeToString(bad));
            assertFails(FailureType.ACCOUNT_UNREADABLE.code(), ALICE, ACCOUNT);
        });
        overwrite(Base64.getEncoder().encodeToString(Arrays.copyOf(good, good.length / 2)));
        assertFails(FailureType.ACCOUNT_UNREADABLE.code(), ALICE, ACCOUNT);
        overwrite("no Base64");
        assertFails(FailureType.ACCOUNT_UNREADABLE.code(), ALICE, ACCOUNT);
        overwrite("");
        assertFails(FailureType.ACCOUNT_UNREADABLE.code(), ALICE, ACCOUNT);
    }

    private static void overwrite(String ciphertext) {
        postgres.client().update("UPDATE accounts SET ciphertext = ?", ciphertext);
    }

    @Tag("X18")
    @DisplayName("While live accounts are switched off their credentials are handed to no worker, " + "though stored")
    @Test
    void liveAccountsAreSwitchedOff() throws Exception {
        AccountKey real = new AccountKey("alpaca", "equity", Environment.LIVE, "mine");
        credentials.store(ALICE, real, ALICES);
        assertFails(FailureType.ACCOUNT_LIVE_OFF.code(), ALICE, real);
        assertThatThrownBy(() -> credentials.seal(ALICE, real, worker.publicKey()))
                .hasMessageContaining("Live accounts are switched off", "berth.orders.live");
        var on = new StoredCredentials(
                accounts, new CredentialEnvelope(new FileWrappingKey(folder.resolve("accounts.key"))), true);
        assertThat(worker.open(ALICE, on.seal(ALICE, real, worker.publicKey())).fields())
                .containsEntry("keyId", "PKALICE1234");
    }

    @Test
    void anotherKeyDoesNotOpenIt() throws Exception {
        credentials.store(ALICE, ACCOUNT, ALICES);
        var foreign = new CredentialEnvelope(KeyFiles.make(folder.resolve("another.key")));
        assertFails(
                FailureType.ACCOUNT_UNREADABLE.code(), new StoredCredentials(accounts, foreign, false), ALICE, ACCOUNT);
    }

    @Test
    void theSameCredentialsNeverLookTheSame() {
        credentials.store(ALICE, ACCOUNT, ALICES);
        String first = stored();
        credentials.store(ALICE, ACCOUNT, ALICES);
        assertThat(stored()).isNotEqualTo(first);
    }

    @Test
    void missingAccountIsNotRetried() {
        assertFails(FailureType.ACCOUNT_UNKNOWN.code(), ALICE, ACCOUNT);
    }
}
