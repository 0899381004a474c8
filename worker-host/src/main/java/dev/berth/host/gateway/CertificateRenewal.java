package dev.berth.host.gateway;

import dev.berth.temporal.gateway.GatewayMessages.CertificateRequest;
import dev.berth.temporal.gateway.GatewayMethods;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the task's certificate after half of its remaining life, and so ever more often while the
 * renewal fails.
 */
final class CertificateRenewal implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CertificateRenewal.class);
    private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(10);
    private static final long TIMEOUT_SECONDS = 10;

    private final Channel gateway;
    private final CertificateRequest request;
    private final Function<String, X509Certificate> replace;
    private final Thread thread =
            Thread.ofPlatform().daemon().name("certificate").unstarted(this::run);
    private Instant expiry;

    /**
     * Does nothing before {@link #start}.
     *
     * @param replace uses the next certificate, given in PEM, and reads it
     */
    CertificateRenewal(
            Channel gateway, String publicKey, X509Certificate current, Function<String, X509Certificate> replace) {
        this.gateway = gateway;
        this.request = new CertificateRequest(publicKey);
        this.replace = replace;
        this.expiry = current.getNotAfter().toInstant();
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            while (true) {
                Thread.sleep(pause(Instant.now(), expiry));
                tryRenew();
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    static Duration pause(Instant now, Instant expiry) {
        Duration half = Duration.between(now, expiry).dividedBy(2);
        return half.compareTo(SHORTEST_PAUSE) < 0 ? SHORTEST_PAUSE : half;
    }

    private void tryRenew() {
        try {
            renew();
        } catch (StatusRuntimeException | IllegalArgumentException failed) {
            LOG.warn("the certificate, valid until {}, is not renewed: {}", expiry, failed.getMessage());
        }
    }

    /** @throws StatusRuntimeException when the gateway refuses or does not answer */
    synchronized void renew() {
        CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        String pem = ClientCalls.blockingUnaryCall(gateway, GatewayMethods.RENEW_CERTIFICATE, options, request)
                .certificate();
        expiry = replace.apply(pem).getNotAfter().toInstant();
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
