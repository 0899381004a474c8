package dev.berth.activities.broker;

import com.amazonaws.encryptionsdk.AwsCrypto;
import com.amazonaws.encryptionsdk.CryptoResult;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.kms.model.IncorrectKeyException;
import software.amazon.awssdk.services.kms.model.InvalidCiphertextException;
import software.amazon.cryptography.materialproviders.IKeyring;
import software.amazon.cryptography.materialproviders.MaterialProviders;
import software.amazon.cryptography.materialproviders.model.CollectionOfErrors;
import software.amazon.cryptography.materialproviders.model.CreateMultiKeyringInput;
import software.amazon.cryptography.materialproviders.model.MaterialProvidersConfig;
import software.amazon.cryptography.materialproviders.model.OpaqueError;

/**
 * Credentials as they are stored: each under a data key of its own, which the wrapping key wraps.
 */
public final class CredentialEnvelope {
    private static final Logger LOG = LoggerFactory.getLogger(CredentialEnvelope.class);

    /** The SDK's default commitment policy: a ciphertext opens under one data key only. */
    private final AwsCrypto crypto = AwsCrypto.standard();

    private final IKeyring keyring;
    /** This key and those before it. */
    private final IKeyring opening;

    private final boolean hasEarlierKeys;

    /**
     * Opens the key.
     *
     * @throws IllegalArgumentException when the key is unusable; the message says what to do
     */
    public CredentialEnvelope(WrappingKey key) {
        MaterialProviders providers = MaterialProviders.builder()
                .MaterialProvidersConfig(MaterialProvidersConfig.builder().build())
                .build();
        this.keyring = key.keyring(providers);
        List<IKeyring> earlier = key.earlier(providers);
        this.hasEarlierKeys = !earlier.isEmpty();
        this.opening = earlier.isEmpty()
                ? keyring
                : providers.CreateMultiKeyring(CreateMultiKeyringInput.builder()
                        .generator(keyring)
                        .childKeyrings(earlier)
                        .build());
    }

    /** The wrapping key does not answer. Trying again may help. */
    public static final class KeyUnavailable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        KeyUnavailable(Throwable cause) {
            super("the key of the stored credentials does not answer: " + cause.getMessage(), cause);
        }
    }

    /**
     * It was changed, moved from another row, or encrypted under another key. Trying again changes
     * nothing.
     */
    public static final class Unreadable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Unreadable(String why, Throwable cause) {
            super(why, cause);
        }
    }

    /**
     * Encrypts for this user and this account.
     *
     * @return Base64
     * @throws KeyUnavailable when nothing was encrypted
     */
    public String encrypt(UserId userId, AccountKey account, PlainCredentials credentials) {
        byte[] plaintext = credentials.plaintext();
        try {
            byte[] ciphertext = crypto.encryptData(keyring, plaintext, owner(userId, account))
                    .getResult();
            return Base64.getEncoder().encodeToString(ciphertext);
        } catch (RuntimeException failed) {
            throw new KeyUnavailable(failed);
        } finally {
            PlainCredentials.wipe(plaintext);
        }
    }

    /**
     * Opens what was encrypted for this user and this account, and nothing else.
     *
     * @throws Unreadable when it was not
     * @throws KeyUnavailable when that is not known
     */
    public PlainCredentials decrypt(UserId userId, AccountKey account, String ciphertext) {
        return decrypt(opening, userId, account, ciphertext);
    }

    /** Whether the file holds keys that are to be withdrawn. */
    public boolean hasEarlierKeys() {
        return hasEarlierKeys;
    }

    /**
     * Encrypts with the first key all that an earlier one wraps, so that the earlier can be
     * withdrawn. What no key opens stays. A worker keeps its session, since the credentials are the
     * same.
     *
     * @throws KeyUnavailable when the key is unavailable; the rest is left as it was
     */
    public void renewAll(Collection<StoredCiphertext> all) {
        int renewed = 0;
        int unreadable = 0;
        for (StoredCiphertext stored : all) {
            try {
                Optional<String> again = renew(stored.userId(), stored.account(), stored.ciphertext());
                again.ifPresent(stored.replace());
                renewed += again.isPresent() ? 1 : 0;
            } catch (Unreadable lost) {
                unreadable++;
            }
        }
        LOG.info(
                "every stored credential is under the first key now ({} were not, {} open with no key):"
                        + " the other keys can be removed from the file",
                renewed,
                unreadable);
    }

    /** Empty when the first key wraps it already. */
    private Optional<String> renew(UserId userId, AccountKey account, String ciphertext) {
        try {
            decrypt(keyring, userId, account, ciphertext);
            return Optional.empty();
        } catch (Unreadable underEarlierKey) {
            return Optional.of(encrypt(userId, account, decrypt(userId, account, ciphertext)));
        }
    }

    private PlainCredentials decrypt(IKeyring keys, UserId userId, AccountKey account, String ciphertext) {
        Map<String, String> owner = owner(userId, account);
        CryptoResult<byte[], ?> opened = open(keys, ciphertext, owner);
        try {
            // The SDK compares what both sides name; it would pass over a ciphertext that names no
            // owner at all.
            if (!opened.getEncryptionContext().entrySet().containsAll(owner.entrySet())) {
                throw new Unreadable("it names another owner", new IllegalStateException("encryption context"));
            }
            return PlainCredentials.read(opened.getResult());
        } catch (IllegalArgumentException foreign) {
            throw new Unreadable(String.valueOf(foreign.getMessage()), foreign);
        } finally {
            PlainCredentials.wipe(opened.getResult());
        }
    }

    private CryptoResult<byte[], ?> open(IKeyring keys, String ciphertext, Map<String, String> owner) {
        try {
            return crypto.decryptData(keys, Base64.getDecoder().decode(ciphertext), owner);
        } catch (RuntimeException failed) {
            if (isUnavailable(failed)) {
                throw new KeyUnavailable(failed);
            }
            throw new Unreadable("it does not open: " + failed.getMessage(), failed);
        }
    }

    /** Bound to the ciphertext, and readable in it. */
    private static Map<String, String> owner(UserId userId, AccountKey account) {
        return Map.of("berth:user", userId.value(), "berth:account", account.toString());
    }

    /** A keyring wraps what went wrong, at times in a list. */
    private static boolean isUnavailable(Object failure) {
        return switch (failure) {
            case IncorrectKeyException _ -> false;
            case InvalidCiphertextException _ -> false;
            case SdkException _ -> true;
            case CollectionOfErrors several -> several.list().stream().anyMatch(CredentialEnvelope::isUnavailable);
            case OpaqueError wrapped when wrapped.obj() != null -> isUnavailable(wrapped.obj());
            case Throwable other when other.getCause() != null -> isUnavailable(other.getCause());
            default -> false;
        };
    }
}
