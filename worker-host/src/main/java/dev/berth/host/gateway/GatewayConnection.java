package dev.berth.host.gateway;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * This task's connection to the gateway. Temporal's client and {@link #client} share one channel,
 * so there is one TLS connection, and every call has the task's certificate and assignment.
 */
public final class GatewayConnection implements AutoCloseable {
    /** As Temporal's client has it. */
    private static final int KEEP_ALIVE_SECONDS = 30;

    private static final int KEEP_ALIVE_TIMEOUT_SECONDS = 15;
    /** Temporal refuses larger messages. */
    private static final int MAX_MESSAGE_BYTES = 8 << 20;

    private final GatewayEndpoint settings;
    private final TaskKeyPair keys = new TaskKeyPair();
    private final CurrentCertificate certificate = new CurrentCertificate();
    private final AssignmentHeader assignment = new AssignmentHeader();
    private final ManagedChannel anonymous;
    private final ManagedChannel channel;
    private final WorkerGatewayClient client;
    private @Nullable CertificateRenewal renewal;

    /** Begins to connect for the enrolment. */
    public GatewayConnection(GatewayEndpoint settings) {
        this.settings = settings;
        X509Certificate[] authorities = settings.authorities().toArray(X509Certificate[]::new);
        this.anonymous = builder(settings.target(), GatewayTls.context(authorities, null))
                .build();
        anonymous.getState(true);
        this.channel = builder(settings.target(), GatewayTls.context(authorities, certificate))
                .keepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
                .keepAliveTimeout(KEEP_ALIVE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .keepAliveWithoutCalls(true)
                .maxInboundMessageSize(MAX_MESSAGE_BYTES)
                .intercept(assignment, new PollsWaitForReady())
                .build();
        this.client = new WorkerGatewayClient(channel, assignment, channel::resetConnectBackoff);
    }

    /** One connection at a time: a poll and its shutdown have to reach the same gateway. */
    private static NettyChannelBuilder builder(String target, SslContext tls) {
        return NettyChannelBuilder.forTarget(target).sslContext(tls).defaultLoadBalancingPolicy("pick_first");
    }

    /**
     * Gets the task's certificate, and its assignment if it was launched for a user. The channel is
     * of no use before.
     *
     * @param sealingKey X25519, Base64: credentials for this process are sealed to it
     * @throws io.grpc.StatusRuntimeException when the gateway refuses or does not answer in time
     */
    public void enrol(String taskArn, String sealingKey) throws InterruptedException {
        var enrolled = new TaskEnrolment(anonymous, settings.enrolmentSecret(), taskArn, keys, sealingKey).run();
        assignment.set(enrolled.assignment());
        X509Certificate first = use(enrolled.certificate());
        anonymous.shutdown();
        renewal = new CertificateRenewal(channel, keys.publicKey(), first, this::replace);
        renewal.start();
    }

    /** Renews at once, for tests. */
    void renewCertificate() {
        Objects.requireNonNull(renewal).renew();
    }

    private X509Certificate replace(String pem) {
        X509Certificate next = use(pem);
        // Calls under way finish on the connection with the earlier certificate.
        channel.enterIdle();
        return next;
    }

    private X509Certificate use(String pem) {
        X509Certificate[] chain = GatewayTls.certificates(pem.getBytes(StandardCharsets.US_ASCII));
        certificate.use(chain, keys.privateKey());
        return chain[0];
    }

    /** For Temporal's client. */
    public ManagedChannel channel() {
        return channel;
    }

    public WorkerGatewayClient client() {
        return client;
    }

    @Override
    public void close() {
        if (renewal != null) {
            renewal.close();
        }
        anonymous.shutdownNow();
        channel.shutdownNow();
    }
}
