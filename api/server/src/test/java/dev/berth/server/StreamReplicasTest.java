package dev.berth.server;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.NOON;
import static dev.berth.temporal.OrderSamples.order;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.activities.TestPostgres;
import dev.berth.activities.order.PostgresOrderRecords;
import dev.berth.process.settings.Role;
import dev.berth.routing.ReplicaRegistry;
import dev.berth.routing.TestRedis;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.HistoryPosition;
import dev.berth.workflows.order.OrderRecords;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.security.oauth2.jose.jws.MacAlgorithm;
import org.springframework.security.oauth2.jwt.JwsHeader;
import org.springframework.security.oauth2.jwt.JwtClaimsSet;
import org.springframework.security.oauth2.jwt.JwtEncoderParameters;
import org.springframework.security.oauth2.jwt.NimbusJwtEncoder;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Two replicas of the whole application, on one PostgreSQL and one Redis. */
class StreamReplicasTest {
    /** The sockets of both sides are this process's. */
    private static final int MANY_IDLE = 7_500;

    private static final int MAX_IDLE_KIBIBYTES = 100;
    private static final int KEY_BYTES = 32;
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final byte[] KEY = new SecureRandom().generateSeed(KEY_BYTES);

    @RegisterExtension
    private static final TestPostgres postgres = new TestPostgres();

    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    @TempDir
    private static Path folder;

    private static TestProcess servers;
    private static final List<ConfigurableApplicationContext> replicas = new ArrayList<>();
    private final HttpClient http = HttpClient.newHttpClient();
    private final JsonMapper json = new JsonMapper();

    @BeforeAll
    static void start() throws IOException {
        servers = new TestProcess(postgres, redis, folder, KEY);
        for (int replica = 0; replica < 2; replica++) {
            replicas.add(servers.start(
                    Role.API,
                    // Idle connections of the test answer no ping.
                    "--berth.web-socket.ping=PT10M",
                    "--berth.rates.reads-per-second=100000",
                    "--berth.streams.max=" + MANY_IDLE * 2,
                    "--berth.streams.max-per-user=" + MANY_IDLE * 2));
        }
    }

    @AfterAll
    static void stop() {
        servers.close();
    }

    private static String token(Duration validFor) {
        JwtClaimsSet claims = JwtClaimsSet.builder()
                .issuer("berth-local")
                .audience(List.of("berth"))
                .subject("alice")
                .claim("scope", "orders:read")
                .issuedAt(Instant.now().minusSeconds(60))
                .expiresAt(Instant.now().plus(validFor))
                .build();
        return NimbusJwtEncoder.withSecretKey(new SecretKeySpec(KEY, "HmacSHA256"))
                .build()
                .encode(JwtEncoderParameters.from(
                        JwsHeader.with(MacAlgorithm.HS256).build(), claims))
                .getTokenValue();
    }

    /** What one connection received. */
    private final class Received implements WebSocket.Listener {
        private final List<JsonNode> messages = new CopyOnWriteArrayList<>();
        private final CompletableFuture<Integer> code = new CompletableFuture<>();
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                messages.add(json.readTree(text.toString()));
                text.setLength(0);
            }
            socket.request(1);
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletionStage<?> onClose(WebSocket socket, int closeCode, String reason) {
            code.complete(closeCode);
            return CompletableFuture.completedFuture(null);
        }

        private List<String> statuses() {
            return messages.stream()
                    .filter(message -> message.path("type").asString().equals("order"))
                    .map(message -> message.path("order").path("status").asString())
                    .toList();
        }
    }

    private Received connect(int replica, String query, Duration validFor) {
        Received received = new Received();
        String port =
                Objects.requireNonNull(replicas.get(replica).getEnvironment().getProperty("local.server.port"));
        http.newWebSocketBuilder()
                .subprotocols("berth", "bearer." + token(validFor))
                .buildAsync(URI.create("ws://localhost:" + port + "/v1/stream" + query), received)
                .join();
        return received;
    }

    private static double received(int replica) {
        return replicas.get(replica)
                .getBean(MeterRegistry.class)
                .get("berth.stream.events.received")
                .counter()
                .count();
    }

    private static void record(int replica, OrderState... steps) {
        replicas.get(replica)
                .getBean(OrderRecords.class)
                .record(ALICE, steps[0].request().clientOrderId(), List.of(steps), List.of(), HistoryPosition.OUTSIDE);
    }

    @Test
    @Tag("C1")
    @Tag("C2")
    @Tag("C6")
    @DisplayName("What one replica records is shown by the stream at another, and routed to no third")
    void eventsAreRoutedToTheHolder() {
        OrderState accepted = OrderState.accepted(order(ALICE, "o-1", NOON));
        OrderState failed =
                accepted.became(OrderStatus.FAILED, FailureCode.NOT_TAKEN.because("No worker took it."), NOON);
        double idle = received(1);
        Received stream = connect(0, "", Duration.ofHours(1));
        await().atMost(TIMEOUT).until(() -> stream.messages.size() == 1);
        assertThat(stream.messages.getFirst().path("type").asString()).isEqualTo("worker");
        assertThat(stream.messages.getFirst().path("worker").path("state").asString())
                .isEqualTo("TERMINATED");
        record(1, accepted);
        await().atMost(TIMEOUT).until(() -> stream.statuses().equals(List.of("PENDING")));
        record(0, failed);
        await().atMost(TIMEOUT).until(() -> stream.statuses().equals(List.of("PENDING", "FAILED")));
        assertThat(received(1)).isEqualTo(idle);
        assertThat(received(0)).isPositive();
        String position = stream.messages.get(1).path("position").asString();
        Received resumed = connect(1, "?after=" + position, Duration.ofHours(1));
        await().atMost(TIMEOUT).until(() -> resumed.statuses().equals(List.of("FAILED")));
        assertThat(resumed.messages).isEqualTo(stream.messages.subList(2, stream.messages.size()));
        await().atMost(TIMEOUT)
                .until(() ->
                        replicas.getFirst().getBean(ReplicaRegistry.class).all().size() == 2);
    }

    @Test
    @Tag("C6")
    @DisplayName("A stream shows an event whose notice was lost")
    void lostNoticeIsNoticed() {
        Received stream = connect(0, "?after=0", Duration.ofHours(1));
        await().atMost(TIMEOUT).until(() -> !stream.messages.isEmpty());
        OrderState accepted = OrderState.accepted(order(ALICE, "o-2", NOON));
        new PostgresOrderRecords(postgres.client(), postgres.transactions(), redis.unavailable())
                .record(
                        ALICE,
                        accepted.request().clientOrderId(),
                        List.of(accepted),
                        List.of(),
                        HistoryPosition.OUTSIDE);
        await().atMost(TIMEOUT).until(() -> stream.statuses().equals(List.of("PENDING")));
    }

    @Test
    @Tag("X23")
    @DisplayName("A stream is closed with 4401 when its token expires")
    void streamEndsWithToken() throws Exception {
        assertThat(connect(0, "", Duration.ofSeconds(3)).code.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                .isEqualTo(4401);
    }

    private static double liveKibibytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1024.0;
    }

    @Test
    @Tag("X23")
    @DisplayName("An idle stream takes less than 100 KiB of the heap, both ends together")
    void idleStreamIsSmall() throws Exception {
        requireSmallStreams(500);
    }

    @Test
    @Tag("X23")
    @Tag("long")
    @DisplayName("The same for 7,500 idle streams")
    void manyIdleStreamsAreSmall() throws Exception {
        requireSmallStreams(MANY_IDLE);
    }

    private static void requireSmallStreams(int idle) throws Exception {
        int port = Integer.parseInt(
                Objects.requireNonNull(replicas.getFirst().getEnvironment().getProperty("local.server.port")));
        String handshake = "GET /v1/stream?after=0 HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
                + "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                + "Authorization: Bearer " + token(Duration.ofHours(1)) + "\r\n\r\n";
        List<Socket> open = new ArrayList<>();
        double before = liveKibibytes();
        try {
            for (int number = 0; number < idle; number++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                open.add(socket);
                socket.getOutputStream().write(handshake.getBytes(StandardCharsets.US_ASCII));
                assertThat(new String(
                                socket.getInputStream().readNBytes("HTTP/1.1 101".length()), StandardCharsets.US_ASCII))
                        .isEqualTo("HTTP/1.1 101");
            }
            double each = (liveKibibytes() - before) / idle;
            System.out.printf(Locale.ROOT, "%d idle streams: %.1f KiB of heap each%n", idle, each);
            assertThat(each).isLessThan(MAX_IDLE_KIBIBYTES);
        } finally {
            for (Socket socket : open) {
                socket.close();
            }
        }
    }
}
