package dev.berth.host.broker;

import dev.berth.workflows.Json;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.SealedCredentials;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.bouncycastle.crypto.AsymmetricCipherKeyPair;
import org.bouncycastle.crypto.InvalidCipherTextException;
import org.bouncycastle.crypto.hpke.HPKE;
import org.bouncycastle.crypto.hpke.HPKEContextWithEncapsulation;

/** This process's own key pair: credentials sealed to it open here and nowhere else. It is never stored. */
public final class CredentialKeys {
    private final HPKE suite =
            new HPKE(HPKE.mode_base, HPKE.kem_X25519_SHA256, HPKE.kdf_HKDF_SHA256, HPKE.aead_AES_GCM256);
    private final AsymmetricCipherKeyPair keys = suite.generatePrivateKey();

    /** X25519, Base64. */
    public String publicKey() {
        return Base64.getEncoder().encodeToString(suite.serializePublicKey(keys.getPublic()));
    }

    /** Seals credentials for this process itself, as the orchestrator would. */
    public SealedCredentials seal(UserId userId, AccountKey account, Credentials credentials) {
        Base64.Encoder base64 = Base64.getEncoder();
        try {
            HPKEContextWithEncapsulation sender = suite.setupBaseS(keys.getPublic(), info(userId, account));
            byte[] sealed = sender.seal(new byte[0], Json.write(credentials).getBytes(StandardCharsets.UTF_8));
            return new SealedCredentials(
                    account, 0, base64.encodeToString(sender.getEncapsulation()), base64.encodeToString(sealed));
        } catch (InvalidCipherTextException never) {
            throw new IllegalStateException(never);
        }
    }

    /** The user and the account are bound in: moved to another, the seal does not open. */
    private static byte[] info(UserId userId, AccountKey account) {
        return (userId + ":" + account).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Opens what was sealed for this process, this user and this account.
     *
     * @throws IllegalArgumentException when it was sealed for another
     */
    public Credentials open(UserId userId, SealedCredentials sealed) {
        Base64.Decoder base64 = Base64.getDecoder();
        byte[] info = info(userId, sealed.account());
        try {
            byte[] text = suite.setupBaseR(base64.decode(sealed.encapsulation()), keys, info)
                    .open(new byte[0], base64.decode(sealed.ciphertext()));
            return Json.read(new String(text, StandardCharsets.UTF_8), Credentials.class);
        } catch (InvalidCipherTextException foreign) {
            throw new IllegalArgumentException(
                    "The credentials were not sealed for this process, user and account.", foreign);
        }
    }
}
