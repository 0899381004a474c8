package dev.berth.workflows.broker;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;

/** Certificates and keys of an account, in PEM. No message repeats anything of them. */
public final class CredentialPem {
    /** Some five certificates of a chain. */
    static final int LONGEST = 16 * 1024;

    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

    private CredentialPem() {}

    /**
     * Reads certificates.
     *
     * @throws IllegalArgumentException when there is none, or one cannot be read
     */
    public static List<X509Certificate> certificates(String pem) {
        try {
            List<X509Certificate> read = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)))
                    .stream()
                    .map(X509Certificate.class::cast)
                    .toList();
            if (read.isEmpty()) {
                throw new IllegalArgumentException("there is no certificate in PEM");
            }
            return read;
        } catch (CertificateException malformed) {
            throw new IllegalArgumentException("a certificate cannot be read");
        }
    }

    /**
     * Reads a key of RSA, of an elliptic curve or of Ed25519.
     *
     * @throws IllegalArgumentException when it cannot be read
     */
    public static PrivateKey privateKey(String pem) {
        String base64 = pem.replaceAll("-----(BEGIN|END) PRIVATE KEY-----", "");
        PKCS8EncodedKeySpec spec =
                new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(base64));
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (GeneralSecurityException other) {
                // The next one.
            }
        }
        throw new IllegalArgumentException("the private key cannot be read");
    }

    /** Whether the key is that of the first certificate. */
    static boolean isPair(String certificates, String key) {
        PrivateKey ours = privateKey(key);
        String algorithm = switch (ours.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> "EdDSA";
        };
        byte[] text = {1};
        try {
            Signature signer = Signature.getInstance(algorithm);
            signer.initSign(ours);
            signer.update(text);
            byte[] signed = signer.sign();
            Signature verifier = Signature.getInstance(algorithm);
            verifier.initVerify(certificates(certificates).getFirst().getPublicKey());
            verifier.update(text);
            return verifier.verify(signed);
        } catch (GeneralSecurityException ofAnotherKind) {
            return false;
        }
    }
}
