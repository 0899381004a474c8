package dev.berth.activities.broker;

import dev.berth.workflows.Json;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.SealedCredentials;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.bouncycastle.crypto.InvalidCipherTextException;
import org.bouncycastle.crypto.hpke.HPKE;
import org.bouncycastle.crypto.hpke.HPKEContextWithEncapsulation;

/**
 * Seals credentials to a worker's public key by HPKE (RFC 9180): X25519, HKDF-SHA256, AES-256-GCM.
 */
final class CredentialSeal {
    private CredentialSeal() {}

    /** The form that a worker reads by the same names. */
    private record Content(AccountKey account, String keyId, String secret) {
        @Override
        public String toString() {
            return "";
        }
    }

    /**
     * Makes a seal that one process alone can open.
     *
     * @param version of the stored credentials
     * @param publicKey the X25519 key of that process, Base64
     */
    static SealedCredentials seal(
            UserId userId, AccountKey account, long version, String publicKey, PlainCredentials credentials) {
        HPKE suite = suite();
        byte[] recipient = Base64.getDecoder().decode(publicKey);
        Content content =
                new Content(account, credentials.keyId(), credentials.secret().reveal());
        byte[] text = Json.write(content).getBytes(StandardCharsets.UTF_8);
        // The user is bound in: moved to another, the seal does not open. The account is inside.
        byte[] info = userId.value().getBytes(StandardCharsets.UTF_8);
        try {
            HPKEContextWithEncapsulation sender = suite.setupBaseS(suite.deserializePublicKey(recipient), info);
            byte[] sealed = sender.seal(new byte[0], text);
            Base64.Encoder base64 = Base64.getEncoder();
            return new SealedCredentials(
                    version, base64.encodeToString(sender.getEncapsulation()), base64.encodeToString(sealed));
        } catch (InvalidCipherTextException never) {
            throw new IllegalStateException(never);
        } finally {
            PlainCredentials.wipe(text);
        }
    }

    /** A new public key without an owner, Base64. */
    static String someKey() {
        HPKE suite = suite();
        byte[] key = suite.serializePublicKey(suite.generatePrivateKey().getPublic());
        return Base64.getEncoder().encodeToString(key);
    }

    private static HPKE suite() {
        return new HPKE(HPKE.mode_base, HPKE.kem_X25519_SHA256, HPKE.kdf_HKDF_SHA256, HPKE.aead_AES_GCM256);
    }
}
