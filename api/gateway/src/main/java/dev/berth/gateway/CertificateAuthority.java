package dev.berth.gateway;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Issues the certificates of tasks and, on the local stack, of the gateway itself. */
public final class CertificateAuthority {
    /** Workers renew at half of it. A task that is stopped has its certificate no longer. */
    static final Duration TASK_VALIDITY = Duration.ofHours(1);

    private static final Duration SERVER_VALIDITY = Duration.ofDays(90);
    private static final Duration OWN_VALIDITY = Duration.ofDays(3_650);
    /** The clocks of two hosts may differ by as much. */
    private static final Duration CLOCK_SKEW = Duration.ofMinutes(1);

    private static final String SIGNATURE = "SHA256withECDSA";
    private static final SecureRandom RANDOM = new SecureRandom();

    private final X509Certificate certificate;
    private final PrivateKey key;
    private final InstantSource clock;

    private CertificateAuthority(X509Certificate certificate, PrivateKey key, InstantSource clock) {
        this.certificate = certificate;
        this.key = key;
        this.clock = clock;
    }

    /**
     * A key and its certificate, both in PEM.
     *
     * @param key PKCS #8
     */
    public record KeyWithCertificate(String certificate, String key) {
        @Override
        public String toString() {
            return "KeyWithCertificate[certificate=" + certificate + "]";
        }
    }

    /** Makes the key and the certificate of a new authority. */
    public static KeyWithCertificate create(InstantSource clock) {
        try {
            KeyPair pair = newKeyPair();
            X500Name name = new X500Name("CN=Berth workers");
            X509v3CertificateBuilder builder = builder(name, name, pair.getPublic(), clock.instant(), OWN_VALIDITY)
                    .addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
                    .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign));
            return new KeyWithCertificate(
                    pem(sign(builder, pair.getPrivate())),
                    Pem.encode(Pem.PRIVATE_KEY, pair.getPrivate().getEncoded()));
        } catch (GeneralSecurityException | IOException | OperatorCreationException everyJdkCan) {
            throw new IllegalStateException(everyJdkCan);
        }
    }

    /**
     * Opens the authority.
     *
     * @throws IllegalArgumentException when key or certificate cannot be read
     */
    public static CertificateAuthority open(KeyWithCertificate own, InstantSource clock) {
        try {
            PrivateKey key = KeyFactory.getInstance("EC")
                    .generatePrivate(new PKCS8EncodedKeySpec(Pem.decode(Pem.PRIVATE_KEY, own.key())));
            return new CertificateAuthority(certificate(own.certificate()), key, clock);
        } catch (GeneralSecurityException unreadable) {
            throw new IllegalArgumentException("the certificate authority's key or certificate cannot be read");
        }
    }

    /** In PEM: what the other side trusts. */
    public String certificate() {
        return pem(certificate);
    }

    /** A new key and certificate for a gateway under these DNS names or IP addresses. */
    public KeyWithCertificate newServer(List<String> names) {
        try {
            KeyPair pair = newKeyPair();
            GeneralName[] subjects = names.stream()
                    .map(name -> new GeneralName(isAddress(name) ? GeneralName.iPAddress : GeneralName.dNSName, name))
                    .toArray(GeneralName[]::new);
            X509Certificate server = issue(
                    new X500Name("CN=Berth worker gateway"),
                    pair.getPublic(),
                    SERVER_VALIDITY,
                    KeyPurposeId.id_kp_serverAuth,
                    subjects);
            return new KeyWithCertificate(
                    pem(server), Pem.encode(Pem.PRIVATE_KEY, pair.getPrivate().getEncoded()));
        } catch (GeneralSecurityException everyJdkCan) {
            throw new IllegalStateException(everyJdkCan);
        }
    }

    /** A certificate for a task's key, in PEM. */
    String newTask(TaskCertificate task, PublicKey publicKey) {
        GeneralName[] uris = task.uris().stream()
                .map(uri -> new GeneralName(GeneralName.uniformResourceIdentifier, uri))
                .toArray(GeneralName[]::new);
        X500Name name = new X500Name("CN=" + task.taskId());
        return pem(issue(name, publicKey, TASK_VALIDITY, KeyPurposeId.id_kp_clientAuth, uris));
    }

    private X509Certificate issue(
            X500Name subject, PublicKey publicKey, Duration validity, KeyPurposeId purpose, GeneralName[] names) {
        try {
            X500Name issuer =
                    X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
            return sign(
                    builder(issuer, subject, publicKey, clock.instant(), validity)
                            .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
                            .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
                            .addExtension(Extension.extendedKeyUsage, true, new ExtendedKeyUsage(purpose))
                            .addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names)),
                    key);
        } catch (IOException | CertificateException | OperatorCreationException ownKeyIsEc) {
            throw new IllegalStateException(ownKeyIsEc);
        }
    }

    private static X509v3CertificateBuilder builder(
            X500Name issuer, X500Name subject, PublicKey publicKey, Instant now, Duration validity) {
        return new JcaX509v3CertificateBuilder(
                issuer,
                new BigInteger(127, RANDOM),
                Date.from(now.minus(CLOCK_SKEW)),
                Date.from(now.plus(validity)),
                subject,
                publicKey);
    }

    private static X509Certificate sign(X509v3CertificateBuilder builder, PrivateKey key)
            throws CertificateException, OperatorCreationException, IOException {
        byte[] signed =
                builder.build(new JcaContentSignerBuilder(SIGNATURE).build(key)).getEncoded();
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(signed));
    }

    private static X509Certificate certificate(String pem) throws CertificateException {
        byte[] content = Pem.decode(Pem.CERTIFICATE, pem);
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(content));
    }

    private static String pem(X509Certificate certificate) {
        try {
            return Pem.encode(Pem.CERTIFICATE, certificate.getEncoded());
        } catch (CertificateException wasEncodedBefore) {
            throw new IllegalStateException(wasEncodedBefore);
        }
    }

    private static boolean isAddress(String name) {
        try {
            return InetAddress.ofLiteral(name) != null;
        } catch (IllegalArgumentException dnsName) {
            return false;
        }
    }

    private static KeyPair newKeyPair() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }
}
