package dev.berth.local.venue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the venue refuses as Alpaca does. */
class StrictVenueTest extends VenueFixture {
    private static final String AUTH = "{\"action\":\"auth\",\"key\":\"alice\",\"secret\":\"paper-alice\"}";

    /** A stream, and the status of its authorization. */
    private final class Stream implements WebSocket.Listener {
        final BlockingQueue<String> statuses = new LinkedBlockingQueue<>();
        final WebSocket socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(URI.create("ws://127.0.0.1:" + venue.port() + "/stream"), this)
                .join();

        @Override
        public @Nullable CompletionStage<?> onBinary(WebSocket from, ByteBuffer data, boolean last) {
            try {
                JsonNode message = VenueClient.JSON.readTree(
                        StandardCharsets.UTF_8.decode(data).toString());
                statuses.add(message.at("/data/status").asText());
            } catch (IOException unreadable) {
                statuses.add(unreadable.toString());
            }
            from.request(1);
            return null;
        }

        String authenticate() throws InterruptedException {
            socket.sendText(AUTH, true).join();
            return String.valueOf(statuses.poll(10, TimeUnit.SECONDS));
        }
    }

    private void faults(String json) throws Exception {
        assertThat(client.put("/_control/faults", json).status()).isEqualTo(200);
    }

    @Test
    @DisplayName("An account has one stream; a closed one leaves its place, a broken one until it is reaped")
    void accountHasOneStream() throws Exception {
        Stream first = new Stream();
        assertThat(first.authenticate()).isEqualTo("authorized");
        assertThat(new Stream().authenticate()).isEqualTo("unauthorized");
        first.socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
        Awaitility.await().until(() -> new Stream().authenticate().equals("authorized"));
        // The last one is not closed: its connection breaks.
        Stream broken = new Stream();
        faults("{\"secondStream\":\"cutsFirst\"}");
        assertThat(broken.authenticate()).isEqualTo("authorized");
        broken.socket.abort();
        faults("{}");
        assertThat(new Stream().authenticate()).isEqualTo("unauthorized");
        faults("{\"streamReapMillis\":1}");
        Awaitility.await().until(() -> new Stream().authenticate().equals("authorized"));
    }

    @Test
    @DisplayName("An account has 200 requests a minute, and each answer says how many are left")
    void requestsAreCounted() throws Exception {
        for (int request = 1; request <= 200; request++) {
            assertThat(client.get("/v2/clock").status()).isEqualTo(200);
        }
        assertThat(client.get("/v2/clock").status()).isEqualTo(429);
        var refused = client.submit("one-too-many");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(client.book()).isEmpty();
        assertThat(client.arrivals().getLast().path("verdict").asText()).isEqualTo("rateLimited");
        assertThat(new VenueClient(venue, "bob").get("/v2/clock").status()).isEqualTo(200);
    }

    @Test
    @DisplayName("Unknown keys are forbidden without a code, and refused orders with one")
    void refusalsDiffer() throws Exception {
        faults("{\"revoked\":[\"alice\"]}");
        var forbidden = client.submit("a");
        assertThat(forbidden.status()).isEqualTo(403);
        assertThat(forbidden.body().has("code")).isFalse();
        faults("{\"refuse\":1.0}");
        var refused = client.submit("b");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.body().has("code")).isTrue();
    }

    @Test
    @DisplayName("A client order id has at most 128 characters")
    void clientOrderIdIsBounded() throws Exception {
        assertThat(client.submit("x".repeat(128)).status()).isEqualTo(200);
        assertThat(client.submit("x".repeat(129)).status()).isEqualTo(422);
    }

    @Test
    @DisplayName("A replacement may be made and answered with an error")
    void replacementAnswersErrorAlthoughMade() throws Exception {
        var order = client.submit("a", "type", "limit", "limit_price", "90");
        faults("{\"replaceError\":1.0}");
        var answer = client.patch(order.text("id"), "{\"limit_price\":\"91\",\"client_order_id\":\"a.r1\"}");
        assertThat(answer.status()).isEqualTo(500);
        assertThat(client.get("/v2/orders:by_client_order_id?client_order_id=a.r1")
                        .text("status"))
                .isEqualTo("new");
    }
}
