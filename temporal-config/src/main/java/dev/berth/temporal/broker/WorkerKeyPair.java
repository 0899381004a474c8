package dev.berth.temporal.broker;

import com.google.crypto.tink.AccessesPartialKey;
import com.google.crypto.tink.HybridDecrypt;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.hybrid.HpkePublicKey;
import dev.berth.workflows.Json;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.SealedCredentials;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;

/**
 * A worker process's key pair, in memory only: credentials that {@link CredentialSeal} sealed to
 * it open in no other process. Uses Tink because Bouncy Castle's jar is signed: the signature check
 * takes 200 ms at every start, and a class archive does not hold its classes.
 */
public final class WorkerKeyPair {
    private final KeysetHandle keys;
    private final HybridDecrypt opener;

    public WorkerKeyPair() {
        try {
            keys = KeysetHandle.generateNew(CredentialSeal.suite(), RegistryConfiguration.get());
            opener = keys.getPrimitive(RegistryConfiguration.get(), HybridDecrypt.class);
        } catch (GeneralSecurityException never) {
            throw new IllegalStateException(never);
        }
    }

    /** X25519, Base64. */
    @AccessesPartialKey
    public String publicKey() {
        try {
            HpkePublicKey key =
                    (HpkePublicKey) keys.getPublicKeysetHandle().getPrimary().getKey();
            return Base64.getEncoder().encodeToString(key.getPublicKeyBytes().toByteArray());
        } catch (GeneralSecurityException never) {
            throw new IllegalStateException(never);
        }
    }

    /**
     * Opens credentials that were sealed for this process and user.
     *
     * @throws IllegalArgumentException when they were sealed for another
     */
    public OpenedCredentials open(UserId userId, SealedCredentials sealed) {
        try {
            byte[] text = opener.decrypt(Base64.getDecoder().decode(sealed.ciphertext()), CredentialSeal.info(userId));
            return Json.read(new String(text, StandardCharsets.UTF_8), OpenedCredentials.class);
        } catch (GeneralSecurityException foreign) {
            throw new IllegalArgumentException("The credentials were not sealed for this process and user.", foreign);
        }
    }
}
