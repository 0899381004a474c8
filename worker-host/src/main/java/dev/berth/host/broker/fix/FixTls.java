package dev.berth.host.broker.fix;

import dev.berth.host.broker.BrokerCredentials;
import dev.berth.workflows.broker.CredentialPem;
import dev.berth.workflows.broker.FixCredentials;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** TLS as an account wants it. Its keys are in memory only. */
final class FixTls {
    /** Of a key store that is never written. */
    private static final char[] NO_PASSWORD = {};

    private FixTls() {}

    /** Whether the account has something that only TLS needs. */
    static boolean isNamedBy(BrokerCredentials credentials) {
        return credentials.field(FixCredentials.TLS_AUTHORITY).isPresent()
                || credentials.field(FixCredentials.TLS_CERTIFICATE).isPresent();
    }

    /** @throws IllegalArgumentException when a certificate or key cannot be read; quotes neither */
    static SSLSocketFactory of(BrokerCredentials credentials) {
        if (!isNamedBy(credentials)) {
            return (SSLSocketFactory) SSLSocketFactory.getDefault();
        }
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(own(credentials), trusted(credentials), null);
            return context.getSocketFactory();
        } catch (GeneralSecurityException | IOException refused) {
            throw new IllegalArgumentException("the account's certificates or key cannot be used for TLS", refused);
        }
    }

    /** Null: the public authorities. */
    private static TrustManager @Nullable [] trusted(BrokerCredentials credentials)
            throws GeneralSecurityException, IOException {
        Optional<String> authority = credentials.field(FixCredentials.TLS_AUTHORITY);
        if (authority.isEmpty()) {
            return null;
        }
        KeyStore store = empty();
        List<X509Certificate> authorities = CredentialPem.certificates(authority.get());
        for (int index = 0; index < authorities.size(); index++) {
            store.setCertificateEntry("authority-" + index, authorities.get(index));
        }
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(store);
        return managers.getTrustManagers();
    }

    /** Null: the counterparty asks for no certificate. */
    private static KeyManager @Nullable [] own(BrokerCredentials credentials)
            throws GeneralSecurityException, IOException {
        Optional<String> certificate = credentials.field(FixCredentials.TLS_CERTIFICATE);
        Optional<String> key = credentials.field(FixCredentials.TLS_KEY);
        if (certificate.isEmpty() || key.isEmpty()) {
            return null;
        }
        KeyStore store = empty();
        Certificate[] chain = CredentialPem.certificates(certificate.get()).toArray(Certificate[]::new);
        store.setKeyEntry("own", CredentialPem.privateKey(key.get()), NO_PASSWORD, chain);
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, NO_PASSWORD);
        return managers.getKeyManagers();
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, NO_PASSWORD);
        return store;
    }
}
