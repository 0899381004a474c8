package dev.berth.activities.broker;

import dev.berth.temporal.broker.WorkerKeyPair;
import dev.berth.workflows.FailureType;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountCredentials;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.Environment;
import dev.berth.workflows.broker.SealedCredentials;
import java.util.function.Supplier;

/**
 * Credentials, stored encrypted and handed on sealed; in between they are open in this process
 * only.
 */
public final class StoredCredentials implements AccountCredentials {
    private final AccountStore accounts;
    private final CredentialEnvelope envelope;
    private final boolean live;

    /**
     * Credentials of both environments.
     *
     * @param live whether those of live accounts are handed on
     */
    public StoredCredentials(AccountStore accounts, CredentialEnvelope envelope, boolean live) {
        this.accounts = accounts;
        this.envelope = envelope;
        this.live = live;
    }

    /**
     * Stores an account's credentials in place of those before.
     *
     * @throws CredentialEnvelope.KeyUnavailable when nothing was stored
     */
    public AccountStore.Account store(UserId userId, AccountKey account, PlainCredentials credentials) {
        return encrypted(userId, account, credentials).get();
    }

    /**
     * Encrypts an account's credentials; the result stores them in place of those before. It only
     * writes to PostgreSQL, so it may run in a transaction.
     *
     * @throws CredentialEnvelope.KeyUnavailable when the key is unavailable
     */
    public Supplier<AccountStore.Account> encrypted(UserId userId, AccountKey account, PlainCredentials credentials) {
        String ciphertext = envelope.encrypt(userId, account, credentials);
        return () -> accounts.put(userId, account, credentials.maskedKeyId(), ciphertext);
    }

    /**
     * Encrypts, opens and seals something once. The first time loads a thousand classes, for which
     * no session should wait.
     *
     * @throws CredentialEnvelope.KeyUnavailable when the key is unavailable
     */
    public void tryOut() {
        UserId user = new UserId("key-check");
        String ciphertext =
                envelope.encrypt(user, PaperAccount.KEY, PaperAccount.credentialsOf(user, PaperAccount.KEY));
        envelope.decrypt(user, PaperAccount.KEY, ciphertext);
        PaperAccount.seal(user, new WorkerKeyPair().publicKey());
    }

    @Override
    public SealedCredentials seal(UserId userId, AccountKey account, String publicKey) {
        if (account.environment() == Environment.LIVE && !live) {
            // Also checked here: a worker without credentials cannot trade, whatever the request.
            throw FailureType.ACCOUNT_LIVE_OFF.failure("Live accounts are switched off: account " + account
                    + " gets no session until berth.orders.live is on.");
        }
        AccountStore.CredentialSource found = accounts.find(userId, account)
                .orElseThrow(() -> FailureType.ACCOUNT_UNKNOWN.failure("There are no credentials for account " + account
                        + ". Store them: PUT /v1/accounts/" + account + "/credentials."));
        return switch (found) {
            case AccountStore.CredentialSource.Encrypted(var version, var ciphertext) ->
                decrypt(userId, account, ciphertext).seal(userId, account, version, publicKey);
            case AccountStore.CredentialSource.Default _ -> PaperAccount.seal(userId, account, publicKey);
        };
    }

    private PlainCredentials decrypt(UserId userId, AccountKey account, String ciphertext) {
        try {
            return envelope.decrypt(userId, account, ciphertext);
        } catch (CredentialEnvelope.Unreadable unreadable) {
            throw FailureType.ACCOUNT_UNREADABLE.failure(
                    "The stored credentials of account " + account + " cannot be decrypted: " + unreadable.getMessage()
                            + ". Store them again.",
                    unreadable);
        }
    }
}
