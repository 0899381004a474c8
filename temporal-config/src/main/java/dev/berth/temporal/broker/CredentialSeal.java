package dev.berth.temporal.broker;

import com.google.crypto.tink.AccessesPartialKey;
import com.google.crypto.tink.HybridEncrypt;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.hybrid.HpkeParameters;
import com.google.crypto.tink.hybrid.HpkePublicKey;
import com.google.crypto.tink.hybrid.HybridConfig;
import com.google.crypto.tink.util.Bytes;
import dev.berth.workflows.Json;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.SealedCredentials;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;

/**
 * Seals credentials to a worker's public key by HPKE (RFC 9180): X25519, HKDF-SHA256, AES-256-GCM.
 */
public final class CredentialSeal {
    private CredentialSeal() {}

    /**
     * Makes a seal that one process alone can open, by {@link WorkerKeyPair#open}.
     *
     * @param version of the stored credentials
     * @param publicKey the X25519 key of that process, Base64
     * @throws IllegalArgumentException when it is no such key
     */
    public static SealedCredentials seal(UserId userId, long version, String publicKey, OpenedCredentials credentials) {
        HybridEncrypt sealer = sealer(publicKey);
        byte[] text = Json.write(credentials).getBytes(StandardCharsets.UTF_8);
        try {
            byte[] sealed = sealer.encrypt(text, info(userId));
            return new SealedCredentials(version, Base64.getEncoder().encodeToString(sealed));
        } catch (GeneralSecurityException never) {
            throw new IllegalStateException(never);
        } finally {
            Arrays.fill(text, (byte) 0);
        }
    }

    @AccessesPartialKey
    private static HybridEncrypt sealer(String publicKey) {
        try {
            Bytes key = Bytes.copyFrom(Base64.getDecoder().decode(publicKey));
            return KeysetHandle.newBuilder()
                    .addEntry(KeysetHandle.importKey(HpkePublicKey.create(suite(), key, null))
                            .withRandomId()
                            .makePrimary())
                    .build()
                    .getPrimitive(RegistryConfiguration.get(), HybridEncrypt.class);
        } catch (GeneralSecurityException refused) {
            throw new IllegalArgumentException("Nothing can be sealed to this public key.", refused);
        }
    }

    /** Ciphertexts begin with HPKE's encapsulated key, and with no prefix of Tink's. */
    static HpkeParameters suite() throws GeneralSecurityException {
        HybridConfig.register();
        return HpkeParameters.builder()
                .setKemId(HpkeParameters.KemId.DHKEM_X25519_HKDF_SHA256)
                .setKdfId(HpkeParameters.KdfId.HKDF_SHA256)
                .setAeadId(HpkeParameters.AeadId.AES_256_GCM)
                .setVariant(HpkeParameters.Variant.NO_PREFIX)
                .build();
    }

    /** Binds the user: the seal opens for no other. The account is inside. */
    static byte[] info(UserId userId) {
        return userId.value().getBytes(StandardCharsets.UTF_8);
    }
}
