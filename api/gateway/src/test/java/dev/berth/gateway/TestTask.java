package dev.berth.gateway;

import dev.berth.temporal.gateway.EnrolmentProof;
import dev.berth.temporal.gateway.GatewayMessages.EnrolAnswer;
import dev.berth.temporal.gateway.GatewayMessages.EnrolRequest;
import dev.berth.temporal.gateway.GatewayMetadata;
import dev.berth.temporal.gateway.GatewayMethods;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.TlsChannelCredentials;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A task that calls the gateway, honestly or not. */
final class TestTask implements AutoCloseable {
    final String arn;
    final KeyPair keys = newKeys();
    private final String target;
    private final String trusted;
    private final List<ManagedChannel> channels = new ArrayList<>();
    /** What it enrols with; null: without. */
    private @Nullable String sealingKey = newSealingKey();

    private @Nullable String certificate;
    private String key = "";
    private @Nullable ManagedChannel connection;
    private @Nullable String assignment;

    TestTask(String target, String trusted, String arn) {
        this.target = target;
        this.trusted = trusted;
        this.arn = arn;
    }

    String id() {
        return arn.substring(arn.lastIndexOf('/') + 1);
    }

    EnrolAnswer enrol(String secret) {
        return enrol(secret, arn);
    }

    /** Keeps the certificate and the assignment of the answer. */
    EnrolAnswer enrol(String secret, String claimedArn) {
        EnrolAnswer answer = call(
                GatewayMethods.ENROL,
                new EnrolRequest(
                        secret,
                        claimedArn,
                        publicKey(),
                        sign(EnrolmentProof.of(secret, claimedArn, sealingKey)),
                        sealingKey));
        with(answer.certificate());
        assignment = answer.assignment();
        return answer;
    }

    /** Enrols with this key from now on; null: without. */
    TestTask sealingKey(@Nullable String key) {
        sealingKey = key;
        return this;
    }

    @Nullable
    String sealingKey() {
        return sealingKey;
    }

    /** Looks like an X25519 key: any 32 bytes do. */
    static String newSealingKey() {
        byte[] key = new byte[32];
        new SecureRandom().nextBytes(key);
        return Base64.getEncoder().encodeToString(key);
    }

    String publicKey() {
        return Base64.getEncoder().encodeToString(keys.getPublic().getEncoded());
    }

    String sign(byte[] content) {
        try {
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(keys.getPrivate());
            signature.update(content);
            return Base64.getEncoder().encodeToString(signature.sign());
        } catch (GeneralSecurityException ownKey) {
            throw new IllegalStateException(ownKey);
        }
    }

    /** With this certificate from now on; null: none. */
    TestTask with(@Nullable String otherCertificate) {
        return with(
                otherCertificate, Pem.encode(Pem.PRIVATE_KEY, keys.getPrivate().getEncoded()));
    }

    TestTask with(@Nullable String otherCertificate, String otherKey) {
        certificate = otherCertificate;
        key = otherKey;
        connection = null;
        return this;
    }

    /** Shows this assignment from now on; null: none. */
    TestTask showing(@Nullable String otherAssignment) {
        assignment = otherAssignment;
        return this;
    }

    @Nullable
    String assignment() {
        return assignment;
    }

    <Q, A> A call(MethodDescriptor<Q, A> method, Q request) {
        CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(10, TimeUnit.SECONDS);
        return ClientCalls.blockingUnaryCall(channel(), method, options, request);
    }

    /** As {@link #call}; to cancel the answer ends the call. */
    <Q, A> Future<A> start(MethodDescriptor<Q, A> method, Q request) {
        CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS);
        return ClientCalls.futureUnaryCall(channel().newCall(method, options), request);
    }

    Channel channel() {
        Metadata headers = headers();
        if (connection == null) {
            connection = connect();
        }
        return ClientInterceptors.intercept(connection, MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    Metadata headers() {
        Metadata headers = new Metadata();
        if (assignment != null) {
            headers.put(GatewayMetadata.ASSIGNMENT, assignment);
        }
        return headers;
    }

    ManagedChannel connect() {
        try {
            TlsChannelCredentials.Builder tls =
                    TlsChannelCredentials.newBuilder().trustManager(stream(trusted));
            if (certificate != null) {
                tls.keyManager(stream(certificate), stream(key));
            }
            ManagedChannel channel = Grpc.newChannelBuilder(target, tls.build()).build();
            channels.add(channel);
            return channel;
        } catch (IOException inMemory) {
            throw new UncheckedIOException(inMemory);
        }
    }

    private static InputStream stream(String pem) {
        return new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII));
    }

    private static KeyPair newKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException everyJdkCan) {
            throw new IllegalStateException(everyJdkCan);
        }
    }

    @Override
    public void close() {
        channels.forEach(ManagedChannel::shutdownNow);
    }
}
