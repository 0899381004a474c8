package dev.berth.activities.broker;

import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.Environment;
import dev.berth.workflows.broker.SealedCredentials;
import dev.berth.workflows.broker.ServedBrokers;
import java.util.List;

/**
 * The accounts that every user of the local stack has at the paper venue from the first use, one
 * for each protocol. Each has keys of its own, so that they do not see one another's orders.
 */
public final class PaperAccount {
    public static final AccountKey KEY = new AccountKey("alpaca", "equity", Environment.PAPER, "paper");
    public static final AccountKey FIX = new AccountKey(ServedBrokers.FIX, "equity", Environment.PAPER, "paper");

    /** All of them. */
    static final List<AccountKey> ALL = List.of(KEY, FIX);

    /** Older than any that were stored. */
    static final long VERSION = 0;

    private PaperAccount() {}

    /** That of {@link #KEY}, sealed to a worker's public key. */
    public static SealedCredentials seal(UserId userId, String publicKey) {
        return seal(userId, KEY, publicKey);
    }

    static SealedCredentials seal(UserId userId, AccountKey account, String publicKey) {
        return credentialsOf(userId, account).seal(userId, account, VERSION, publicKey);
    }

    /** No secret: the venue accepts the credentials that it sees first. */
    static PlainCredentials credentialsOf(UserId userId, AccountKey account) {
        String keyId = account.equals(KEY) ? userId.value() : account.broker() + "-" + userId;
        return PlainCredentials.of(keyId, "paper-" + keyId);
    }
}
