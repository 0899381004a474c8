package dev.berth.host.gateway;

import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Collection;
import javax.net.ssl.SSLException;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * TLS to the gateway, which trusts the gateway's own authorities only. Uses the JDK's TLS: its
 * classes are in the class archive, and no native library is written to a file.
 */
final class GatewayTls {
    /** A resumed session would keep the certificate of the connection before. */
    private static final int SESSION_SECONDS = 1;

    private GatewayTls() {}

    /**
     * Reads certificates in PEM.
     *
     * @throws IllegalArgumentException when there is none, or one is malformed
     */
    static X509Certificate[] certificates(byte[] pem) {
        try {
            Collection<?> read =
                    CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(pem));
            if (read.isEmpty()) {
                throw new IllegalArgumentException("there is no certificate in PEM");
            }
            return read.stream().map(X509Certificate.class::cast).toArray(X509Certificate[]::new);
        } catch (CertificateException malformed) {
            throw new IllegalArgumentException("the certificate is malformed", malformed);
        }
    }

    /** TLS with the certificate of the key manager; null before the task has one. */
    static SslContext context(X509Certificate[] authorities, @Nullable X509ExtendedKeyManager certificate) {
        try {
            SslContextBuilder client = GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK)
                    .trustManager(authorities)
                    .sessionTimeout(SESSION_SECONDS);
            return (certificate == null ? client : client.keyManager(certificate)).build();
        } catch (SSLException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
