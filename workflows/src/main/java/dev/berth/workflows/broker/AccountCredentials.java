package dev.berth.workflows.broker;

import dev.berth.workflows.UserId;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** The orchestrator's side of credentials: it alone reads them, and hands them on sealed. */
@ActivityInterface
public interface AccountCredentials {
    /** The failure type when nobody stored any, or they were removed. */
    String UNKNOWN = "account-unknown";
    /** The failure type when what is stored does not open: it was changed, moved, or the key is another one. */
    String UNREADABLE = "account-unreadable";

    /**
     * Seals the account's credentials to a worker's public key. Repeating it is harmless: each call makes a new seal.
     *
     * @param publicKey the X25519 key of the process, Base64
     * @throws io.temporal.failure.ApplicationFailure type {@link #UNKNOWN} or {@link #UNREADABLE},
     *     not retryable
     */
    @ActivityMethod(name = "sealCredentials")
    SealedCredentials seal(UserId userId, AccountKey account, String publicKey);
}
