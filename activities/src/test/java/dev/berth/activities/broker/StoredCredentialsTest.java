package dev.berth.activities.broker;

import static dev.berth.activities.Samples.ACCOUNT;
import static dev.berth.activities.Samples.ALICE;
import static dev.berth.activities.Samples.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.activities.TestPostgres;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountCredentials;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.Environment;
import io.temporal.failure.ApplicationFailure;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoredCredentialsTest {
    private static final Credentials ALICES = new Credentials("PKALICE1234", new Secret("alices-own-secret"));
    private static final AccountKey OTHER = new AccountKey("alpaca", "equity", Environment.PAPER, "other");

    @TempDir
    private static Path folder;

    private static TestPostgres postgres;
    private static AccountStore accounts;
    private static StoredCredentials credentials;

    private final TestWorkerKey worker = new TestWorkerKey();

    @BeforeAll
    static void start() throws Exception {
        postgres = TestPostgres.start(folder.resolve("postgres"));
        accounts = new AccountStore(postgres.client(), false);
        credentials =
                new StoredCredentials(accounts, new CredentialEnvelope(KeyFiles.make(folder.resolve("accounts.key"))));
    }

    @AfterAll
    static void stop() throws Exception {
        postgres.close();
    }

    @BeforeEach
    void forget() {
        postgres.client().update("TRUNCATE accounts");
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

    @DisplayName("A8 what was stored reaches the worker sealed, with its version")
    @Test
    void reachesTheWorker() throws Exception {
        var stored = credentials.store(ALICE, ACCOUNT, ALICES);
        var sealed = credentials.seal(ALICE, ACCOUNT, worker.publicKey());
        assertThat(sealed.version()).isEqualTo(stored.version());
        assertThat(worker.open(ALICE, sealed))
                .isEqualTo("{\"keyId\":\"PKALICE1234\",\"secret\":\"alices-own-secret\"}");
    }

    @DisplayName("A1 neither key id nor secret can be read in the database")
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

    @DisplayName("A1 a ciphertext that was moved to another user or another account does not open")
    @Test
    void aMovedRowDoesNotOpen() throws Exception {
        credentials.store(ALICE, ACCOUNT, ALICES);
        postgres.client().update("UPDATE accounts SET user_id = 'bob'");
        assertFails(AccountCredentials.UNREADABLE, BOB, ACCOUNT);
        assertFails(AccountCredentials.UNKNOWN, ALICE, ACCOUNT);
        postgres.client().update("UPDATE accounts SET user_id = 'alice', account = ?", OTHER.toString());
        assertFails(AccountCredentials.UNREADABLE, ALICE, OTHER);
        postgres.client().update("UPDATE accounts SET account = ?", ACCOUNT.toString());
        assertThat(worker.open(ALICE, credentials.seal(ALICE, ACCOUNT, worker.publicKey())))
                .contains("PKALICE1234");
    }

    @DisplayName("A1 a ciphertext that was changed in any place, cut or replaced does not open")
    @Test
    void aChangedRowDoesNotOpen() {
        credentials.store(ALICE, ACCOUNT, ALICES);
        byte[] good = Base64.getDecoder().decode(stored());
        IntStream.iterate(0, at -> at < good.length, at -> at + 13).forEach(at -> {
            byte[] bad = good.clone();
            bad[at] ^= 1;
            overwrite(Base64.getEncoder().encodeToString(bad));
            assertFails(AccountCredentials.UNREADABLE, ALICE, ACCOUNT);
        });
        overwrite(Base64.getEncoder().encodeToString(Arrays.copyOf(good, good.length / 2)));
        assertFails(AccountCredentials.UNREADABLE, ALICE, ACCOUNT);
        overwrite("no Base64");
        assertFails(AccountCredentials.UNREADABLE, ALICE, ACCOUNT);
        overwrite("");
        assertFails(AccountCredentials.UNREADABLE, ALICE, ACCOUNT);
    }

    private static void overwrite(String ciphertext) {
        postgres.client().update("UPDATE accounts SET ciphertext = ?", ciphertext);
    }

    @Test
    void anotherKeyDoesNotOpenIt() throws Exception {
        credentials.store(ALICE, ACCOUNT, ALICES);
        var foreign = new CredentialEnvelope(KeyFiles.make(folder.resolve("another.key")));
        assertFails(AccountCredentials.UNREADABLE, new StoredCredentials(accounts, foreign), ALICE, ACCOUNT);
    }

    @Test
    void theSameCredentialsNeverLookTheSame() {
        credentials.store(ALICE, ACCOUNT, ALICES);
        String first = stored();
        credentials.store(ALICE, ACCOUNT, ALICES);
        assertThat(stored()).isNotEqualTo(first);
    }

    @Test
    void anAccountThatNobodyStoredIsNotTriedAgain() {
        assertFails(AccountCredentials.UNKNOWN, ALICE, ACCOUNT);
    }
}
