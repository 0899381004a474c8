package dev.berth.rest.account;

import dev.berth.activities.broker.AccountStore;
import dev.berth.workflows.broker.AccountKey;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An account as its user sees it, without the secret.
 *
 * @param account the account key, as in an order
 * @param version grows each time credentials are stored
 * @param storedAt absent for the account that every user of the local stack has
 */
record AccountView(
        AccountKey account,

        @Schema(example = "****7890", description = "masked: its last four characters")
        String keyId,

        long version,
        @Nullable Instant storedAt) {

    /** The accounts of one user, paper before live, then by name. */
    record Accounts(List<AccountView> accounts) {}

    static AccountView of(AccountStore.Account account) {
        return new AccountView(account.key(), account.keyHint(), account.version(), account.storedAt());
    }
}
