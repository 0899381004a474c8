package dev.berth.rest.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.routing.TestRedis;
import dev.berth.workflows.Json;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.catalina.LifecycleException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A machine that sends more than any SDK does. */
@Tag("X32")
class RemoteFloodTest {
    @RegisterExtension
    static final TestRedis REDIS = new TestRedis();

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<Machine> machines = new ArrayList<>();
    private RemoteReplica replica;

    @BeforeEach
    void start() throws Exception {
        replica = RemoteReplica.start(REDIS.client());
    }

    @AfterEach
    void stop() throws LifecycleException {
        machines.forEach(machine -> machine.socket.abort());
        http.shutdownNow();
        replica.close();
    }

    private Machine connect(String user) {
        Machine machine = new Machine(user);
        machines.add(machine);
        machine.send("""
                {"type": "hello", "protocol": 1, "sdk": "test", "machine": "%s", "accounts": ["%s"]}\
                """.formatted(user, RemoteReplica.ACCOUNT));
        await().until(() -> machine.count("registered") == 1);
        return machine;
    }

    /** One connection; what it got. */
    private final class Machine implements WebSocket.Listener {
        private final List<String> types = new CopyOnWriteArrayList<>();
        private final StringBuilder frame = new StringBuilder();
        private final WebSocket socket;
        private volatile int closeCode;

        Machine(String user) {
            socket = http.newWebSocketBuilder()
                    .header("Authorization", "Bearer " + user)
                    .buildAsync(URI.create("ws" + replica.address().toString().substring(4) + "/v1/remote"), this)
                    .join();
        }

        void send(String text) {
            socket.sendText(text, true).join();
        }

        void ping(long id) {
            send("{\"type\": \"ping\", \"id\": " + id + "}");
        }

        void report(long id) {
            send("""
                    {"type": "report", "reportId": %s, "account": "%s", "report": {
                     "clientOrderId": "o-1", "status": "FILLED", "venueStatus": "filled", "venueOrderId": "b-77",
                     "quantity": "10", "filledQuantity": "10", "averagePrice": "99.5", "reason": null,
                     "updatedAt": "2026-11-25T03:00:01Z", "executions": []}}\
                    """.formatted(id, RemoteReplica.ACCOUNT));
        }

        long count(String type) {
            return types.stream().filter(type::equals).count();
        }

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            frame.append(data);
            if (last) {
                JsonNode read = Json.tree(frame.toString());
                frame.setLength(0);
                types.add(read.path("type").asText());
            }
            from.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
            closeCode = code;
            return null;
        }
    }

    @DisplayName("Pings beyond the rate are not answered; other users' are")
    @Test
    void pingsAreBounded() {
        Machine flood = connect("flood");
        Machine other = connect("other");
        for (int id = 0; id < 1_000; id++) {
            flood.ping(id);
        }
        other.ping(1);
        await().until(() -> other.count("pong") == 1);
        flood.report(1);
        await().until(() -> flood.count("reported") == 1);
        assertThat(flood.count("pong"))
                .isGreaterThanOrEqualTo(RemoteRates.Kind.PING.burst())
                .isLessThan(500);
    }

    @DisplayName("A connection that floods is closed")
    @Test
    void floodEndsConnection() {
        Machine flood = connect("flood");
        Machine other = connect("other");
        try {
            for (int id = 0; id < 10 * RemoteRates.Kind.FRAME.burst() && flood.closeCode == 0; id++) {
                flood.ping(id);
            }
        } catch (CompletionException closed) {
            assertThat(closed).hasMessageContaining("closed");
        }
        await().untilAsserted(() -> assertThat(flood.closeCode).isEqualTo(1008));
        other.ping(1);
        await().until(() -> other.count("pong") == 1);
    }

    @DisplayName("A connection that was replaced reports nothing; the one that serves does")
    @Test
    void replacedConnectionReportsNothing() {
        Machine earlier = connect("alice");
        Machine later = connect("alice");
        await().atMost(Duration.ofSeconds(10)).until(() -> earlier.count("goaway") == 1);
        earlier.report(1);
        earlier.ping(1);
        await().until(() -> earlier.count("pong") == 1);
        later.report(1);
        await().until(() -> later.count("reported") == 1);
        assertThat(earlier.types).doesNotContain("reported", "refused");
    }
}
