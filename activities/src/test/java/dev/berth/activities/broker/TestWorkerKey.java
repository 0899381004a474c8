package dev.berth.activities.broker;

import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.SealedCredentials;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.bouncycastle.crypto.AsymmetricCipherKeyPair;
import org.bouncycastle.crypto.InvalidCipherTextException;
import org.bouncycastle.crypto.hpke.HPKE;

/** The key pair of a worker process, as it opens what was sealed for it. */
final class TestWorkerKey {
    private final HPKE suite =
            new HPKE(HPKE.mode_base, HPKE.kem_X25519_SHA256, HPKE.kdf_HKDF_SHA256, HPKE.aead_AES_GCM256);
    private final AsymmetricCipherKeyPair keys = suite.generatePrivateKey();

    String publicKey() {
        return Base64.getEncoder().encodeToString(suite.serializePublicKey(keys.getPublic()));
    }

    String open(UserId userId, SealedCredentials sealed) throws InvalidCipherTextException {
        Base64.Decoder base64 = Base64.getDecoder();
        byte[] info = userId.value().getBytes(StandardCharsets.UTF_8);
        byte[] text = suite.setupBaseR(base64.decode(sealed.encapsulation()), keys, info)
                .open(new byte[0], base64.decode(sealed.ciphertext()));
        return new String(text, StandardCharsets.UTF_8);
    }
}
