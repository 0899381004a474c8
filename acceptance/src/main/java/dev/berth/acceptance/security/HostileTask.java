package dev.berth.acceptance.security;

import dev.berth.acceptance.stack.LaunchEnrolment;
import dev.berth.acceptance.stack.Stack;
import dev.berth.temporal.gateway.EnrolmentProof;
import dev.berth.temporal.gateway.GatewayMessages.EnrolAnswer;
import dev.berth.temporal.gateway.GatewayMessages.EnrolRequest;
import dev.berth.temporal.gateway.GatewayMetadata;
import dev.berth.temporal.gateway.GatewayMethods;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A task whose code is hostile: it has the environment, the key, the certificate and the assignment
 * of a worker, and calls the gateway as it likes.
 */
public final class HostileTask implements AutoCloseable {
    private final String target;
    private final X509Certificate authority;
    private final String taskArn;
    private final KeyPair keys;
    private final Deque<ManagedChannel> channels = new ArrayDeque<>();
    private @Nullable X509Certificate certificate;
    private @Nullable String assignment;

    private HostileTask(Map<String, String> environment, String taskArn, KeyPair keys) throws GeneralSecurityException {
        this.target = environment.getOrDefault("BERTH_GATEWAY_TARGET", "");
        this.authority = certificate(Base64.getDecoder().decode(environment.getOrDefault("BERTH_GATEWAY_CA", "")));
        this.taskArn = taskArn;
        this.keys = keys;
    }

    private static KeyPair newKeys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    /** A task that has not enrolled yet. */
    public static HostileTask unknown(Map<String, String> environment) throws GeneralSecurityException {
        String id = UUID.randomUUID().toString().replace("-", "");
        return new HostileTask(environment, "arn:aws:ecs:us-east-1:000000000000:task/berth/" + id, newKeys());
    }

    /**
     * A task that the orchestrator has launched, and that has enrolled.
     *
     * @param claim user and epoch, or {@code -1} for a pool worker
     */
    public static HostileTask launched(Stack stack, Map<String, String> environment, String claim)
            throws GeneralSecurityException, IOException {
        HostileTask task = unknown(environment);
        String secret = UUID.randomUUID().toString();
        LaunchEnrolment.of(stack).allow(secret, task.taskArn, claim);
        EnrolAnswer enrolled = task.enrol(secret, task.taskArn);
        task.certificate = certificate(enrolled.certificate().getBytes(StandardCharsets.US_ASCII));
        task.assignment = enrolled.assignment();
        return task;
    }

    /** The same, with the address and the authority of the stack's gateway. */
    public static HostileTask launched(Stack stack, String claim) throws GeneralSecurityException, IOException {
        byte[] authority = Files.readAllBytes(stack.home().resolve("gateway/ca.crt"));
        Map<String, String> environment = Map.of(
                "BERTH_GATEWAY_TARGET",
                "127.0.0.1:" + stack.port("GATEWAY", 17233),
                "BERTH_GATEWAY_CA",
                Base64.getEncoder().encodeToString(authority));
        return launched(stack, environment, claim);
    }

    /** Acts as a running worker, with what was found in its process. */
    public static HostileTask takenOver(
            Map<String, String> environment,
            String taskArn,
            PrivateKey key,
            X509Certificate certificate,
            @Nullable String assignment)
            throws GeneralSecurityException {
        HostileTask task = new HostileTask(environment, taskArn, new KeyPair(certificate.getPublicKey(), key));
        task.certificate = certificate;
        task.assignment = assignment;
        return task;
    }

    /** Tries to enrol with this secret, as that task. */
    public EnrolAnswer enrol(String secret, String arn) throws GeneralSecurityException, IOException {
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(keys.getPrivate());
        signature.update(EnrolmentProof.of(secret, arn, null));
        Base64.Encoder base64 = Base64.getEncoder();
        EnrolRequest request = new EnrolRequest(
                secret,
                arn,
                base64.encodeToString(keys.getPublic().getEncoded()),
                base64.encodeToString(signature.sign()),
                null);
        return ClientCalls.blockingUnaryCall(withoutCertificate(), GatewayMethods.ENROL, CallOptions.DEFAULT, request);
    }

    public Channel withoutCertificate() throws IOException {
        return open(tls());
    }

    /** With the own certificate and, if it has one, the own assignment. */
    public Channel channel() throws IOException {
        return channel(assignment);
    }

    /** With the own certificate and this assignment. */
    public Channel channel(@Nullable String shown) throws IOException {
        Channel channel = open(tls().keyManager(keys.getPrivate(), Objects.requireNonNull(certificate)));
        if (shown == null) {
            return channel;
        }
        Metadata headers = new Metadata();
        headers.put(GatewayMetadata.ASSIGNMENT, shown);
        return ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    public @Nullable String assignment() {
        return assignment;
    }

    private SslContextBuilder tls() {
        return GrpcSslContexts.forClient().trustManager(authority);
    }

    private Channel open(SslContextBuilder tls) throws IOException {
        ManagedChannel channel =
                NettyChannelBuilder.forTarget(target).sslContext(tls.build()).build();
        channels.push(channel);
        return channel;
    }

    private static X509Certificate certificate(byte[] pem) throws GeneralSecurityException {
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(pem));
    }

    @Override
    public void close() {
        channels.forEach(ManagedChannel::shutdownNow);
    }
}
