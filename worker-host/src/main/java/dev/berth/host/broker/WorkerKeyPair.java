package dev.berth.host.broker;

import com.google.crypto.tink.AccessesPartialKey;
import com.google.crypto.tink.HybridDecrypt;
import com.google.crypto.tink.HybridEncrypt;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.hybrid.HpkeParameters;
import com.google.crypto.tink.hybrid.HpkePublicKey;
import com.google.crypto.tink.hybrid.HybridConfig;
import dev.berth.workflows.Json;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.SealedCredentials;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;

/**
 * This process's key pair, in memory only: credentials sealed to it by HPKE (RFC 9180) open in no
 * other process. Uses Tink because Bouncy Castle's jar is signed: the signature check takes 200 ms
 * at
 * every start, and a class archive does not hold its classes.
 */
public final class WorkerKeyPair {
    /** Tink writes the encapsulated X25519 key before the ciphertext. */
    private static final int ENCAPSULATION = 32;

    private final KeysetHandle keys;
    private final HybridDecrypt opener;

    public WorkerKeyPair() {
        try {
            HybridConfig.register();
            HpkeParameters suite = HpkeParameters.builder()
                    .setKemId(HpkeParameters.KemId.DHKEM_X25519_HKDF_SHA256)
                    .setKdfId(HpkeParameters.KdfId.HKDF_SHA256)
                    .setAeadId(HpkeParameters.AeadId.AES_256_GCM)
                    .setVariant(HpkeParameters.Variant.NO_PREFIX)
                    .build();
            keys = KeysetHandle.generateNew(suite, RegistryConfiguration.get());
            opener = keys.getPrimitive(RegistryConfiguration.get(), HybridDecrypt.class);
        } catch (GeneralSecurityException never) {
            throw new IllegalStateException(never);
        }
    }

    /** X25519, Base64. */
    @AccessesPartialKey
    public String publicKey() {
        HpkePublicKey key = (HpkePublicKey) publicKeys().getPrimary().getKey();
        return Base64.getEncoder().encodeToString(key.getPublicKeyBytes().toByteArray());
    }

    private KeysetHandle publicKeys() {
        try {
            return keys.getPublicKeysetHandle();
        } catch (GeneralSecurityException never) {
            throw new IllegalStateException(never);
        }
    }

    /** Seals to this process, as the orchestrator does. */
    public SealedCredentials seal(UserId userId, OpenedCredentials content) {
        try {
            byte[] sealed = publicKeys()
                    .getPrimitive(RegistryConfiguration.get(), HybridEncrypt.class)
                    .encrypt(Json.write(content).getBytes(StandardCharsets.UTF_8), info(userId));
            return new SealedCredentials(
                    0,
                    base64(Arrays.copyOf(sealed, ENCAPSULATION)),
                    base64(Arrays.copyOfRange(sealed, ENCAPSULATION, sealed.length)));
        } catch (GeneralSecurityException never) {
            throw new IllegalStateException(never);
        }
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    /** Binds the user: the seal opens for no other. */
    private static byte[] info(UserId userId) {
        return userId.value().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Opens credentials that were sealed for this process and user.
     *
     * @throws IllegalArgumentException when they were sealed for another
     */
    public OpenedCredentials open(UserId userId, SealedCredentials sealed) {
        Base64.Decoder base64 = Base64.getDecoder();
        byte[] encapsulation = base64.decode(sealed.encapsulation());
        byte[] ciphertext = base64.decode(sealed.ciphertext());
        byte[] both = Arrays.copyOf(encapsulation, encapsulation.length + ciphertext.length);
        System.arraycopy(ciphertext, 0, both, encapsulation.length, ciphertext.length);
        try {
            byte[] text = opener.decrypt(both, info(userId));
            return Json.read(new String(text, StandardCharsets.UTF_8), OpenedCredentials.class);
        } catch (GeneralSecurityException foreign) {
            throw new IllegalArgumentException("The credentials were not sealed for this process and user.", foreign);
        }
    }
}
