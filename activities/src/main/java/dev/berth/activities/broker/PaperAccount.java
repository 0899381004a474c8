package dev.berth.activities.broker;

import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.Environment;
import dev.berth.workflows.broker.SealedCredentials;

/** The account that every user of the local stack has at the paper venue from the first use. */
public final class PaperAccount {
    public static final AccountKey KEY = new AccountKey("alpaca", "equity", Environment.PAPER, "paper");

    /** Older than any that were stored. */
    static final long VERSION = 0;

    private PaperAccount() {}

    /** Sealed to a worker's public key. */
    public static SealedCredentials seal(UserId userId, String publicKey) {
        return credentialsOf(userId).seal(userId, KEY, VERSION, publicKey);
    }

    /** No secret: the venue accepts the credentials that it sees first. */
    static PlainCredentials credentialsOf(UserId userId) {
        return new PlainCredentials(userId.value(), new Secret("paper-" + userId));
    }
}
