package dev.berth.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A key with a certificate for 127.0.0.1 that is its own authority.
 *
 * @param file of the key store
 * @param certificate PEM
 * @param key PKCS #8 in PEM, mode 600
 */
record TestCertificate(Path file, KeyStore store, Path certificate, Path key) {
    static final String PASSWORD = "password";
    private static final String ALIAS = "own";

    static TestCertificate create(Path folder, String name)
            throws IOException, InterruptedException, GeneralSecurityException {
        Path file = folder.resolve(name + ".p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        ALIAS,
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .start();
        String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (keytool.waitFor() != 0) {
            throw new IOException(output);
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream content = Files.newInputStream(file)) {
            store.load(content, PASSWORD.toCharArray());
        }
        Path key = pem(
                folder.resolve(name + ".key"),
                "PRIVATE KEY",
                store.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded());
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        return new TestCertificate(
                file,
                store,
                pem(
                        folder.resolve(name + ".crt"),
                        "CERTIFICATE",
                        store.getCertificate(ALIAS).getEncoded()),
                key);
    }

    private static Path pem(Path file, String type, byte[] content) throws IOException {
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return Files.writeString(file, "-----BEGIN %s-----%n%s%n-----END %s-----%n".formatted(type, base64, type));
    }

    /** Shows this certificate and trusts only the other's. */
    SSLContext trusting(TestCertificate other) throws GeneralSecurityException, IOException {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD.toCharArray());
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, PASSWORD.toCharArray());
        trusted.setCertificateEntry("other", other.store.getCertificate(ALIAS));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }
}
