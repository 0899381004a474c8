package dev.berth.workflows.broker;

import dev.berth.workflows.FailureType;
import dev.berth.workflows.UserId;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** The orchestrator's side of credentials: it alone reads them, and hands them on sealed. */
@ActivityInterface
public interface AccountCredentials {
    /**
     * Seals the account's credentials to a worker's public key. Repeating it is harmless: each call
     * makes a new seal.
     *
     * @param publicKey the X25519 key of the process, Base64
     * @throws io.temporal.failure.ApplicationFailure {@link FailureType#ACCOUNT_UNKNOWN},
     *     {@link FailureType#ACCOUNT_UNREADABLE}, {@link FailureType#ACCOUNT_LIVE_OFF}
     */
    @ActivityMethod(name = "sealCredentials")
    SealedCredentials seal(UserId userId, AccountKey account, String publicKey);
}
