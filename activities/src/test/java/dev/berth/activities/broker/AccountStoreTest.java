package dev.berth.activities.broker;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static dev.berth.temporal.OrderSamples.NOON;
import static dev.berth.temporal.OrderSamples.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.TestPostgres;
import dev.berth.activities.order.OrderReadModel;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.Environment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class AccountStoreTest {
    private static final AccountKey OTHER = new AccountKey("alpaca", "equity", Environment.PAPER, "another");
    private static final AccountKey LIVE = new AccountKey("alpaca", "equity", Environment.LIVE, "a");

    @RegisterExtension
    private static final TestPostgres postgres = new TestPostgres();

    private static final AccountStore accounts = new AccountStore(postgres.client(), false);
    /** As the local stack has it. */
    private static final AccountStore local = new AccountStore(postgres.client(), true);

    private static long put(AccountStore accounts) {
        return accounts.put(ALICE, ACCOUNT, "****1234", "c").version();
    }

    private static boolean has(AccountStore accounts, UserId userId) {
        boolean found = accounts.find(userId, ACCOUNT).isPresent();
        var listed = accounts.list(userId).stream().map(AccountStore.Account::key);
        assertThat(listed.anyMatch(ACCOUNT::equals)).isEqualTo(found);
        var read = new OrderReadModel(postgres.client())
                .beforeSubmission(order(userId, "o-1", NOON), accounts.isDefault(ACCOUNT));
        assertThat(read).isEqualTo(new OrderReadModel.BeforeSubmission(Optional.empty(), 0, found));
        return found;
    }

    @Tag("A8")
    @DisplayName("The version grows with every change, and never comes again after a removal")
    @Test
    void versionsGrow() {
        long first = put(accounts);
        long second = put(accounts);
        assertThat(second).isGreaterThan(first);
        accounts.remove(ALICE, ACCOUNT);
        accounts.remove(ALICE, ACCOUNT);
        assertThat(has(accounts, ALICE)).isFalse();
        assertThat(put(accounts)).isGreaterThan(second);
        assertThat(has(accounts, ALICE)).isTrue();
    }

    @Test
    void changesAtTheSameTimeEachHaveAVersionOfTheirOwn() throws Exception {
        List<Future<Long>> versions = new ArrayList<>();
        try (var threads = Executors.newFixedThreadPool(4)) {
            Callable<Long> once = () -> put(accounts);
            for (int change = 0; change < 40; change++) {
                versions.add(threads.submit(once));
            }
        }
        assertThat(versions.stream().map(Future::resultNow)).doesNotHaveDuplicates();
    }

    @Tag("A8")
    @DisplayName("After PostgreSQL came back from a backup the next version is higher than any that " + "it forgot")
    @Test
    void versionsGrowPastABackup() {
        put(accounts);
        var backup = postgres.client().queryForList("SELECT version FROM accounts", Long.class);
        long forgotten = put(accounts);
        postgres.client().update("UPDATE accounts SET version = ?", backup.getFirst());
        assertThat(put(accounts)).isGreaterThan(forgotten);
        postgres.owner().update("TRUNCATE accounts");
        assertThat(put(accounts)).isGreaterThan(forgotten);
    }

    @Tag("A1")
    @DisplayName("Another user's accounts cannot be read, changed or removed")
    @Test
    void anotherUsersAccountsAreInvisible() {
        put(accounts);
        assertThat(has(accounts, BOB)).isFalse();
        assertThat(accounts.list(BOB)).isEmpty();
        accounts.remove(BOB, ACCOUNT);
        assertThat(has(accounts, ALICE)).isTrue();
        accounts.put(BOB, ACCOUNT, "****", "b");
        assertThat(has(accounts, BOB)).isTrue();
    }

    @Test
    void paperComesBeforeLive() {
        accounts.put(ALICE, LIVE, "****", "c");
        accounts.put(ALICE, ACCOUNT, "****", "c");
        accounts.put(ALICE, OTHER, "****", "c");
        assertThat(accounts.list(ALICE).stream().map(AccountStore.Account::key)).containsExactly(OTHER, ACCOUNT, LIVE);
    }

    @Test
    void theLocalStacksAccountIsThereUntilItIsStoredOrRemoved() {
        assertThat(has(accounts, ALICE)).isFalse();
        assertThat(has(local, ALICE)).isTrue();
        assertThat(local.find(ALICE, ACCOUNT)).containsInstanceOf(AccountStore.CredentialSource.Default.class);
        assertThat(local.find(ALICE, OTHER)).isEmpty();
        assertThat(local.list(ALICE).getFirst().storedAt()).isNull();

        long stored = put(local);
        assertThat(local.find(ALICE, ACCOUNT)).contains(new AccountStore.CredentialSource.Encrypted(stored, "c"));

        local.remove(ALICE, ACCOUNT);
        assertThat(has(local, ALICE)).isFalse();
        assertThat(local.list(ALICE).stream().map(AccountStore.Account::key)).containsExactly(PaperAccount.FIX);
    }

    @Test
    void theLocalStacksAccountThatWasRemovedStaysRemoved() {
        local.remove(ALICE, ACCOUNT);
        local.remove(ALICE, ACCOUNT);
        assertThat(has(local, ALICE)).isFalse();
        assertThat(has(local, BOB)).isTrue();
        put(local);
        assertThat(has(local, ALICE)).isTrue();
    }

    @Tag("A8")
    @DisplayName("On the local stack every user has an account for each protocol, until it is removed")
    @Test
    void everyUserHasAnAccountForEachProtocol() {
        assertThat(local.list(BOB).stream().map(AccountStore.Account::key))
                .containsExactly(PaperAccount.KEY, PaperAccount.FIX);
        assertThat(PaperAccount.credentialsOf(BOB, PaperAccount.FIX).keyId()).isEqualTo("fix-bob");
        local.remove(BOB, PaperAccount.FIX);
        assertThat(local.list(BOB).stream().map(AccountStore.Account::key)).containsExactly(PaperAccount.KEY);
        assertThat(accounts.list(ALICE)).isEmpty();
    }
}
