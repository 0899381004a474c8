package dev.berth.host.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.gateway.CertificateAuthority.KeyWithCertificate;
import dev.berth.workflows.broker.CredentialPem;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.List;

/** Keys and certificates in the files that a FIX engine reads. */
final class TestKeyStores {
    static final String PASSWORD = "of-a-test";
    private static final String OWN = "own";

    private TestKeyStores() {}

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static String save(KeyStore store, Path file) throws GeneralSecurityException, IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, PASSWORD.toCharArray());
        }
        return file.toString();
    }

    /** A key with its chain; returns the file's path. */
    static String write(Path file, KeyWithCertificate own, String authority)
            throws GeneralSecurityException, IOException {
        KeyStore store = empty();
        Certificate[] chain = {
            CredentialPem.certificates(own.certificate()).getFirst(),
            CredentialPem.certificates(authority).getFirst()
        };
        store.setKeyEntry(OWN, CredentialPem.privateKey(own.key()), PASSWORD.toCharArray(), chain);
        return save(store, file);
    }

    /** A certificate that is trusted; returns the file's path. */
    static String trust(Path file, KeyWithCertificate other) throws GeneralSecurityException, IOException {
        KeyStore store = empty();
        store.setCertificateEntry(
                "other", CredentialPem.certificates(other.certificate()).getFirst());
        return save(store, file);
    }

    /** A client's key with a certificate that it signed itself. */
    static KeyWithCertificate newClient(Path file) throws Exception {
        Process keytool = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        OWN,
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=alice",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        PASSWORD))
                .redirectErrorStream(true)
                .start();
        String output = new String(keytool.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(output).isZero();
        KeyStore store = KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
        return new KeyWithCertificate(
                pem("CERTIFICATE", store.getCertificate(OWN).getEncoded()),
                pem("PRIVATE KEY", store.getKey(OWN, PASSWORD.toCharArray()).getEncoded()));
    }

    private static String pem(String type, byte[] content) {
        String base64 = Base64.getMimeEncoder().encodeToString(content);
        return "-----BEGIN " + type + "-----\n" + base64 + "\n-----END " + type + "-----\n";
    }
}
