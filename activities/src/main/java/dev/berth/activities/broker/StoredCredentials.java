package dev.berth.activities.broker;

import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountCredentials;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.SealedCredentials;
import io.temporal.failure.ApplicationFailure;

/** Credentials, stored encrypted and handed on sealed; in between they are open in this process only. */
public final class StoredCredentials implements AccountCredentials {
    private final AccountStore accounts;
    private final CredentialEnvelope envelope;

    public StoredCredentials(AccountStore accounts, CredentialEnvelope envelope) {
        this.accounts = accounts;
        this.envelope = envelope;
    }

    /**
     * Stores an account's credentials in place of those before.
     *
     * @throws CredentialEnvelope.KeyAway when nothing was stored
     */
    public AccountStore.Account store(UserId userId, AccountKey account, Credentials credentials) {
        String ciphertext = envelope.encrypt(userId, account, credentials);
        return accounts.put(userId, account, credentials.maskedKeyId(), ciphertext);
    }

    /**
     * Encrypts, opens and seals something once. The first time loads a thousand classes, for which no session should wait.
     *
     * @throws CredentialEnvelope.KeyAway when the key can not be used now
     */
    public void tryOut() {
        UserId nobody = new UserId("nobody");
        String ciphertext = envelope.encrypt(nobody, PaperAccount.KEY, PaperAccount.credentialsOf(nobody));
        envelope.decrypt(nobody, PaperAccount.KEY, ciphertext);
        PaperAccount.seal(nobody, CredentialSeal.someKey());
    }

    @Override
    public SealedCredentials seal(UserId userId, AccountKey account, String publicKey) {
        AccountStore.Found found = accounts.find(userId, account)
                .orElseThrow(() -> ApplicationFailure.newNonRetryableFailure(
                        "There are no credentials for account " + account + ". Store them: PUT /v1/accounts/" + account
                                + "/credentials.",
                        UNKNOWN));
        return switch (found) {
            case AccountStore.Found.Encrypted(var version, var ciphertext) ->
                CredentialSeal.seal(userId, account, version, publicKey, decrypt(userId, account, ciphertext));
            case AccountStore.Found.Default _ -> PaperAccount.seal(userId, publicKey);
        };
    }

    private Credentials decrypt(UserId userId, AccountKey account, String ciphertext) {
        try {
            return envelope.decrypt(userId, account, ciphertext);
        } catch (CredentialEnvelope.Unreadable unreadable) {
            throw ApplicationFailure.newNonRetryableFailureWithCause(
                    "The stored credentials of account " + account + " can not be opened: " + unreadable.getMessage()
                            + ". Store them again.",
                    UNREADABLE,
                    unreadable);
        }
    }
}
