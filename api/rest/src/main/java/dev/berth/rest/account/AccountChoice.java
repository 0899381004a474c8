package dev.berth.rest.account;

import dev.berth.activities.broker.AccountStore;
import dev.berth.rest.Problem;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Chooses the account whose session a worker opens first when no order names one. */
@Component
public class AccountChoice {
    private final AccountStore accounts;

    public AccountChoice(AccountStore accounts) {
        this.accounts = accounts;
    }

    /**
     * The requested account, else the first: paper before live, then by name.
     *
     * @throws Problem.Refusal when the user does not have the account, or has none
     */
    public AccountKey of(UserId userId, @Nullable AccountKey requested) {
        List<AccountKey> owned =
                accounts.list(userId).stream().map(AccountStore.Account::key).toList();
        if (owned.isEmpty() || (requested != null && !owned.contains(requested))) {
            throw Problem.UNKNOWN_ACCOUNT.because(
                    (requested == null ? "You have no account" : "Account " + requested + " has no credentials")
                            + ". Store some: PUT /v1/accounts/{broker}/{market}/{environment}/"
                            + "{accountId}/credentials.");
        }
        return requested == null ? owned.getFirst() : requested;
    }
}
