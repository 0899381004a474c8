package dev.berth.api.account;

import dev.berth.activities.broker.AccountStore;
import dev.berth.api.Problem;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Which account a worker opens first when no order says so. */
@Component
public class AccountChoice {
    private final AccountStore accounts;

    AccountChoice(AccountStore accounts) {
        this.accounts = accounts;
    }

    /**
     * The one that is asked for, else the first of the list: paper before live, then by name.
     *
     * @throws Problem.Refusal when the user has no such account, or none at all
     */
    public AccountKey of(UserId userId, @Nullable AccountKey asked) {
        List<AccountKey> owned =
                accounts.list(userId).stream().map(AccountStore.Account::key).toList();
        if (owned.isEmpty() || (asked != null && !owned.contains(asked))) {
            throw Problem.UNKNOWN_ACCOUNT.because(
                    (asked == null ? "You have no account" : "Account " + asked + " has no credentials")
                            + ". Store some: PUT /v1/accounts/{broker}/{market}/{environment}/"
                            + "{accountId}/credentials.");
        }
        return asked == null ? owned.getFirst() : asked;
    }
}
