package dev.berth.host.gateway;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** The task's certificate of this moment: every new connection shows the newest one. */
final class CurrentCertificate extends X509ExtendedKeyManager {
    private static final String ALIAS = "task";

    private record Identity(List<X509Certificate> chain, PrivateKey key) {}

    private volatile @Nullable Identity current;

    void use(X509Certificate[] chain, PrivateKey key) {
        current = new Identity(List.of(chain), key);
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return current == null ? null : ALIAS;
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        Identity identity = current;
        return identity == null ? null : identity.chain.toArray(X509Certificate[]::new);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        Identity identity = current;
        return identity == null ? null : identity.key;
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return chooseEngineClientAlias(keyTypes, issuers, null);
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return current == null ? null : new String[] {ALIAS};
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }
}
