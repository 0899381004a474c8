package dev.berth.gateway;

import static dev.berth.gateway.Refusing.assertRefused;
import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.routing.TestRedis;
import dev.berth.temporal.gateway.GatewayMessages.Empty;
import dev.berth.temporal.gateway.GatewayMessages.EnrolRequest;
import dev.berth.temporal.gateway.GatewayMethods;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a client without a certificate can take from others. */
@Tag("X32")
@Tag("X16")
class AnonymousConnectionTest {
    /** The gateway's own, and time for a busy machine. */
    private static final Duration CLOSED_WITHIN = GatewayLimits.WITHOUT_CERTIFICATE.plusSeconds(5);

    @RegisterExtension
    static final TestRedis redis = new TestRedis();

    private final FakeTemporal temporal = new FakeTemporal();
    private final List<Socket> sockets = new ArrayList<>();
    private GatewayFixture gateway;

    @BeforeEach
    void start() {
        gateway = new GatewayFixture(redis, temporal.stubs());
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        gateway.close();
        temporal.close();
    }

    private Socket plain() throws IOException {
        Socket socket = new Socket("localhost", gateway.server().port());
        socket.setSoTimeout(Math.toIntExact(CLOSED_WITHIN.toMillis()));
        sockets.add(socket);
        return socket;
    }

    /** After the handshake, without a certificate. */
    private SSLSocket unknown() throws IOException, GeneralSecurityException {
        SSLSocket socket = (SSLSocket) tls().getSocketFactory()
                .createSocket(plain(), "localhost", gateway.server().port(), true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    private static SSLContext tls() throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        trusted.setCertificateEntry(
                "gateway",
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(new ByteArrayInputStream(
                                GatewayFixture.AUTHORITY.certificate().getBytes(StandardCharsets.US_ASCII))));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    private static boolean isClosed(Socket socket) {
        try {
            while (true) {
                if (socket.getInputStream().read() < 0) {
                    return true;
                }
            }
        } catch (SocketTimeoutException open) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    @DisplayName("A connection that sends nothing, or has no certificate, is closed after 5 s; a task's stays")
    @Test
    void silentConnectionsAreClosed() throws Exception {
        TestTask alice = gateway.userTask(ALICE, 7);
        alice.call(GatewayMethods.REMOVE_HEARTBEAT, new Empty());
        Socket silent = plain();
        SSLSocket unknown = unknown();
        assertThat(isClosed(silent)).as("without a handshake").isTrue();
        assertThat(isClosed(unknown)).as("without an enrolment").isTrue();
        alice.call(GatewayMethods.REMOVE_HEARTBEAT, new Empty());
    }

    @DisplayName("Enrolments without end are few a connection, and end with it")
    @Test
    void unfinishedEnrolmentsEnd() {
        TestTask unknown = gateway.task();
        EnrolRequest request = new EnrolRequest("secret", unknown.arn, "", "", null);
        List<UnfinishedCall> calls = new ArrayList<>();
        for (int call = 0; call < 20; call++) {
            calls.add(UnfinishedCall.start(unknown.channel(), GatewayMethods.ENROL, request));
        }
        await().atMost(CLOSED_WITHIN).untilAsserted(() -> assertThat(calls).allMatch(UnfinishedCall::isEnded));
        assertThat(calls)
                .filteredOn(call -> call.code() == Code.UNAVAILABLE)
                .as("those that were admitted")
                .hasSize(GatewayLimits.ENROLMENTS_AT_ONCE);
        assertThat(calls)
                .filteredOn(call -> call.code() == Code.RESOURCE_EXHAUSTED)
                .hasSize(calls.size() - GatewayLimits.ENROLMENTS_AT_ONCE);
        assertThat(gateway.userTask(ALICE, 7).assignment()).isNotNull();
    }

    @DisplayName("An enrolment of more than 16 KiB is refused")
    @Test
    void longEnrolmentIsRefused() {
        TestTask unknown = gateway.task();
        assertRefused(
                gateway,
                Refusal.ARGUMENT,
                Code.INVALID_ARGUMENT,
                () -> unknown.call(
                        GatewayMethods.ENROL,
                        new EnrolRequest("x".repeat(GatewayLimits.ENROLMENT_BYTES), unknown.arn, "", "", null)));
        assertThat(Refusing.statusOf(() -> unknown.call(
                                GatewayMethods.ENROL, new EnrolRequest("x".repeat(4 << 20), unknown.arn, "", "", null)))
                        .getDescription())
                .contains("too large");
    }

    @DisplayName("A task enrols, and others go on, while unknowns hold every place")
    @Test
    void taskEnrolsWhileunknownsHoldEveryPlace() throws Exception {
        TestTask alice = gateway.userTask(ALICE, 7);
        for (int unknown = 0; unknown < GatewayLimits.ANONYMOUS_CONNECTIONS; unknown++) {
            unknown();
        }
        alice.call(GatewayMethods.REMOVE_HEARTBEAT, new Empty());
        await().atMost(GatewayLimits.WITHOUT_CERTIFICATE.minusSeconds(1))
                .ignoreException(StatusRuntimeException.class)
                .untilAsserted(
                        () -> assertThat(gateway.userTask(BOB, 3).assignment()).isNotNull());
    }
}
