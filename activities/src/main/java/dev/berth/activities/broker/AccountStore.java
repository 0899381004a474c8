package dev.berth.activities.broker;

import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Accounts in PostgreSQL. Every statement contains the user id, so a user reaches only own
 * accounts.
 */
public final class AccountStore {
    /**
     * A removed account keeps its row, so that the next version is higher than any before. Versions
     * count by the clock too: a worker may have one that a backup of this table does not know.
     */
    private static final String PUT = """
            INSERT INTO accounts (user_id, account, version, key_hint, ciphertext, changed_at)
            VALUES (?, ?, (extract(epoch FROM clock_timestamp()) * 1000)::bigint, ?, ?, now())
            ON CONFLICT (user_id, account) DO UPDATE
              SET version = greatest(accounts.version + 1, excluded.version), key_hint = excluded.key_hint, ciphertext = excluded.ciphertext,
                  changed_at = excluded.changed_at
            RETURNING account, version, key_hint, ciphertext, changed_at
            """;

    private static final String REMOVE = """
            UPDATE accounts SET key_hint = NULL, ciphertext = NULL, changed_at = now()
            WHERE user_id = ? AND account = ? AND ciphertext IS NOT NULL
            """;

    private static final String REMOVE_DEFAULT = """
            INSERT INTO accounts (user_id, account, version, changed_at) VALUES (?, ?, ?, now())
            ON CONFLICT (user_id, account) DO NOTHING
            """;

    private static final String CIPHERTEXTS =
            "SELECT user_id, account, ciphertext FROM accounts WHERE ciphertext IS NOT NULL";

    /** Nothing when the credentials were changed meanwhile. */
    private static final String RENEW =
            "UPDATE accounts SET ciphertext = ? WHERE user_id = ? AND account = ? AND ciphertext = ?";

    private static final String LIST =
            "SELECT account, version, key_hint, ciphertext, changed_at FROM accounts WHERE user_id = ?";

    private final JdbcTemplate postgres;
    private final boolean paperDefault;

    /**
     * Keeps them in the table {@code accounts}.
     *
     * @param paperDefault whether every user has each {@link PaperAccount} until they store or
     *     remove it
     */
    public AccountStore(JdbcTemplate postgres, boolean paperDefault) {
        this.postgres = postgres;
        this.paperDefault = paperDefault;
    }

    /**
     * An account that has credentials.
     *
     * @param keyHint the masked key id
     * @param storedAt absent for the default, which is not stored
     */
    public record Account(
            AccountKey key,
            long version,
            String keyHint,
            @Nullable Instant storedAt) {}

    /** Where an account's credentials are. */
    sealed interface CredentialSource {
        record Encrypted(long version, String ciphertext) implements CredentialSource {}

        /** No account is stored, so the default of the local stack applies. */
        record Default() implements CredentialSource {}
    }

    /** One row; without ciphertext it was removed. */
    private record StoredRow(
            AccountKey key,
            long version,
            @Nullable String keyHint,
            @Nullable String ciphertext,
            Instant changedAt) {}

    /** Stores anew; the version grows each time. */
    Account put(UserId userId, AccountKey account, String keyHint, String ciphertext) {
        StoredRow row = postgres.query(PUT, AccountStore::row, userId.value(), account.toString(), keyHint, ciphertext)
                .getFirst();
        return new Account(row.key(), row.version(), keyHint, row.changedAt());
    }

    /** Removes the credentials. Has none: nothing happens. */
    public void remove(UserId userId, AccountKey account) {
        if (isDefault(account)) {
            postgres.update(REMOVE_DEFAULT, userId.value(), account.toString(), PaperAccount.VERSION);
        }
        postgres.update(REMOVE, userId.value(), account.toString());
    }

    /** The user's accounts, paper before live, then by name. */
    public List<Account> list(UserId userId) {
        List<StoredRow> rows = postgres.query(LIST, AccountStore::row, userId.value());
        List<Account> accounts = new ArrayList<>();
        for (StoredRow row : rows) {
            if (row.ciphertext() != null) {
                accounts.add(new Account(row.key(), row.version(), String.valueOf(row.keyHint()), row.changedAt()));
            }
        }
        for (AccountKey account : paperDefault ? PaperAccount.ALL : List.<AccountKey>of()) {
            if (rows.stream().noneMatch(row -> row.key().equals(account))) {
                String hint = PaperAccount.credentialsOf(userId, account).maskedKeyId();
                accounts.add(new Account(account, PaperAccount.VERSION, hint, null));
            }
        }
        accounts.sort(Comparator.comparing((Account account) -> account.key().environment())
                .thenComparing(account -> account.key().toString()));
        return List.copyOf(accounts);
    }

    /** All that are stored. */
    public List<StoredCiphertext> ciphertexts() {
        return postgres.query(CIPHERTEXTS, (row, _) -> {
            String user = row.getString("user_id");
            String account = row.getString("account");
            String before = row.getString("ciphertext");
            return new StoredCiphertext(
                    new UserId(user),
                    AccountKey.parse(account),
                    before,
                    after -> postgres.update(RENEW, after, user, account, before));
        });
    }

    /** Whether the user has the account, with credentials. */
    public boolean has(UserId userId, AccountKey account) {
        return find(userId, account).isPresent();
    }

    Optional<CredentialSource> find(UserId userId, AccountKey account) {
        List<StoredRow> rows =
                postgres.query(LIST + " AND account = ?", AccountStore::row, userId.value(), account.toString());
        if (rows.isEmpty()) {
            return isDefault(account) ? Optional.of(new CredentialSource.Default()) : Optional.empty();
        }
        StoredRow row = rows.getFirst();
        return Optional.ofNullable(row.ciphertext())
                .map(stored -> new CredentialSource.Encrypted(row.version(), stored));
    }

    /** Whether the account stands without a row of its own. */
    public boolean isDefault(AccountKey account) {
        return paperDefault && PaperAccount.ALL.contains(account);
    }

    private static StoredRow row(ResultSet row, int number) throws SQLException {
        return new StoredRow(
                AccountKey.parse(row.getString("account")),
                row.getLong("version"),
                row.getString("key_hint"),
                row.getString("ciphertext"),
                row.getTimestamp("changed_at").toInstant());
    }
}
