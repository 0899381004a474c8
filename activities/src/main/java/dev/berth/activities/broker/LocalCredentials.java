package dev.berth.activities.broker;

import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountCredentials;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.Environment;
import dev.berth.workflows.broker.SealedCredentials;
import io.temporal.failure.ApplicationFailure;

/** The local stack's accounts: every user has one at the paper venue from the first use. */
public final class LocalCredentials implements AccountCredentials {
    @Override
    public SealedCredentials seal(UserId userId, AccountKey account, String publicKey) {
        if (!knows(userId, account)) {
            throw ApplicationFailure.newNonRetryableFailure(
                    "There are no credentials for account " + account + ". The local stack knows only " + accountOf()
                            + ".",
                    "account-unknown");
        }
        return CredentialSeal.seal(userId, account, publicKey, new Credentials(userId.value(), "paper-" + userId));
    }

    /** Whether the user has this account. */
    public boolean knows(UserId userId, AccountKey account) {
        return account.equals(accountOf());
    }

    /** The account that every user of the local stack has. */
    public static AccountKey accountOf() {
        return new AccountKey("alpaca", "equity", Environment.PAPER, "paper");
    }
}
