package dev.berth.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.local.stack.LocalRedis;
import dev.berth.local.stack.LocalSqs;
import dev.berth.temporal.TemporalClients;
import io.grpc.StatusRuntimeException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.resource.ClientResources;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.testserver.TestServer;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Real servers that speak TLS alone, as the clients of the API's process reach them. */
class TlsConnectionsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private static final String TRUST_STORE = "javax.net.ssl.trustStore";

    @TempDir
    static Path folder;

    private static TestCertificate server;
    private static TestCertificate client;
    private static TestCertificate other;

    @BeforeAll
    static void makeCertificates() throws Exception {
        server = TestCertificate.create(folder, "server");
        client = TestCertificate.create(folder, "client");
        other = TestCertificate.create(folder, "other");
    }

    @Test
    @DisplayName("Redis is reached by TLS with the authority of the setting, by no plain connection and with no other")
    void redisRequiresTrustedTls() throws Exception {
        try (LocalRedis redis = LocalRedis.startWithTls(folder.resolve("redis"), server.certificate(), server.key())) {
            assertThat(ping("rediss://localhost:" + redis.port(), server.certificate()))
                    .isEqualTo("PONG");
            assertThatThrownBy(() -> ping("rediss://localhost:" + redis.port(), other.certificate()))
                    .hasStackTraceContaining("unable to find valid certification path");
            assertThatThrownBy(() -> ping("rediss://localhost:" + redis.port(), null))
                    .hasStackTraceContaining("unable to find valid certification path");
            assertThatThrownBy(() -> ping("redis://localhost:" + redis.port(), null))
                    .isInstanceOf(RedisConnectionException.class);
        }
    }

    private static String ping(String uri, @Nullable Path authorities) {
        ClientResources resources = RedisConnections.resources();
        try (RedisClient redis = RedisConnections.client(resources, URI.create(uri), authorities, TIMEOUT)) {
            return redis.connect().sync().ping();
        } finally {
            var _ = resources.shutdown();
        }
    }

    @Test
    @DisplayName(
            "PostgreSQL is reached with sslmode=verify-full and its authority, by no plain connection and with no other")
    void postgresRequiresTrustedTls() throws Exception {
        Path data = folder.resolve("postgres");
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setServerConfig("ssl", "on")
                .setServerConfig("ssl_cert_file", server.certificate().toString())
                .setServerConfig("ssl_key_file", server.key().toString())
                .start()) {
            Files.writeString(data.resolve("pg_hba.conf"), "hostssl all all all trust\n");
            try (Connection plain = postgres.getPostgresDatabase().getConnection()) {
                plain.createStatement().execute("select pg_reload_conf()");
            }
            String url = "jdbc:postgresql://localhost:" + postgres.getPort() + "/postgres?user=postgres&sslmode=";
            assertThat(isEncrypted(url + "verify-full&sslrootcert=" + server.certificate()))
                    .isTrue();
            assertThatThrownBy(() -> isEncrypted(url + "verify-full&sslrootcert=" + other.certificate()))
                    .hasStackTraceContaining("unable to find valid certification path");
            assertThatThrownBy(() -> isEncrypted(url + "disable"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("no encryption");
        }
    }

    private static boolean isEncrypted(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                var answer = connection
                        .createStatement()
                        .executeQuery("select ssl from pg_stat_ssl where pid = pg_backend_pid()")) {
            return answer.next() && answer.getBoolean(1);
        }
    }

    @Test
    @DisplayName(
            "Temporal is reached by the TEMPORAL_ variables with mTLS, and refuses a client without its certificate")
    void temporalRequiresClientCertificate() throws Exception {
        int port = freePort();
        try (TestServer.PortBoundTestServer _ = TestServer.createPortBoundServer(port);
                TlsProxy proxy = TlsProxy.to(port, server.trusting(client), true, "h2")) {
            Map<String, String> profile = new HashMap<>(Map.of(
                    "TEMPORAL_ADDRESS", "localhost:" + proxy.port(),
                    "TEMPORAL_TLS_SERVER_CA_CERT_PATH", server.certificate().toString(),
                    "TEMPORAL_TLS_CLIENT_CERT_PATH", client.certificate().toString(),
                    "TEMPORAL_TLS_CLIENT_KEY_PATH", client.key().toString()));
            assertThat(TemporalProfile.of(profile).orElseThrow().isEncrypted()).isTrue();
            connect(profile);
            profile.put("TEMPORAL_TLS_SERVER_CA_CERT_PATH", other.certificate().toString());
            assertThatThrownBy(() -> connect(profile)).isInstanceOf(StatusRuntimeException.class);
            profile.put("TEMPORAL_TLS_SERVER_CA_CERT_PATH", server.certificate().toString());
            profile.put("TEMPORAL_TLS_CLIENT_CERT_PATH", other.certificate().toString());
            profile.put("TEMPORAL_TLS_CLIENT_KEY_PATH", other.key().toString());
            assertThatThrownBy(() -> connect(profile)).isInstanceOf(StatusRuntimeException.class);
            Map<String, String> plain = Map.of("TEMPORAL_ADDRESS", "localhost:" + proxy.port());
            assertThat(TemporalProfile.of(plain).orElseThrow().isEncrypted()).isFalse();
            assertThatThrownBy(() -> connect(plain)).isInstanceOf(StatusRuntimeException.class);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Test
    void withoutVariablesSpringsSettingsCount() {
        assertThat(TemporalProfile.of(Map.of("TEMPORAL_TLS", "true"))).isEmpty();
    }

    private static void connect(Map<String, String> profile) {
        WorkflowServiceStubsOptions options = TemporalProfile.applied(
                        TemporalClients.stubs(WorkflowServiceStubsOptions.newBuilder()), profile)
                .build();
        WorkflowServiceStubs stubs = WorkflowServiceStubs.newServiceStubs(options);
        try {
            stubs.connect(TIMEOUT);
        } finally {
            stubs.shutdownNow();
        }
    }

    @Test
    @DisplayName(
            "SQS is reached by https with an authority that the JDK trusts, by no plain connection and with no other")
    void sqsRequiresTrustedTls() throws Exception {
        LocalSqs sqs = LocalSqs.start(0);
        try (TlsProxy proxy = TlsProxy.to(sqs.port(), server.trusting(server), false)) {
            trust(server);
            assertThat(queues("https://localhost:" + proxy.port())).isEqualTo(2);
            trust(other);
            assertThatThrownBy(() -> queues("https://localhost:" + proxy.port()))
                    .isInstanceOf(SdkClientException.class)
                    .hasStackTraceContaining("unable to find valid certification path");
            assertThatThrownBy(() -> queues("http://localhost:" + proxy.port())).isInstanceOf(SdkClientException.class);
        } finally {
            System.clearProperty(TRUST_STORE);
            System.clearProperty(TRUST_STORE + "Password");
            sqs.close();
        }
    }

    /** As its {@code JAVA_TOOL_OPTIONS} tell a process. */
    private static void trust(TestCertificate authority) {
        System.setProperty(TRUST_STORE, authority.file().toString());
        System.setProperty(TRUST_STORE + "Password", TestCertificate.PASSWORD);
    }

    private static int queues(String endpoint) throws IOException {
        try (SqsClient sqs = SqsClient.builder()
                .endpointOverride(URI.create(endpoint))
                .region(Region.US_EAST_1)
                .credentialsProvider(AnonymousCredentialsProvider.create())
                .httpClient(UrlConnectionHttpClient.create())
                .build()) {
            return sqs.listQueues().queueUrls().size();
        }
    }
}
