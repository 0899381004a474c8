package dev.berth.activities.broker;

import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import java.util.function.Consumer;

/**
 * What {@link CredentialEnvelope} encrypted, and where it is stored.
 *
 * @param account whom it was encrypted for, with the user
 * @param replace stores another ciphertext in its place, unless it was changed meanwhile
 */
public record StoredCiphertext(UserId userId, AccountKey account, String ciphertext, Consumer<String> replace) {}
