package dev.berth.host.gateway;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;

/** The key pair of this task's certificate, EC P-256, in memory only. */
public final class TaskKeyPair {
    private final KeyPair keys;

    public TaskKeyPair() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            keys = generator.generateKeyPair();
        } catch (GeneralSecurityException never) {
            throw new IllegalStateException(never);
        }
    }

    /** SubjectPublicKeyInfo, Base64. */
    String publicKey() {
        return Base64.getEncoder().encodeToString(keys.getPublic().getEncoded());
    }

    /** Proves the possession of the private key: ECDSA with SHA-256, Base64. */
    String sign(byte[] content) {
        try {
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(keys.getPrivate());
            signature.update(content);
            return Base64.getEncoder().encodeToString(signature.sign());
        } catch (GeneralSecurityException never) {
            throw new IllegalStateException(never);
        }
    }

    PrivateKey privateKey() {
        return keys.getPrivate();
    }
}
