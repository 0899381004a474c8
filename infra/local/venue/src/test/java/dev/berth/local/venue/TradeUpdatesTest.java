package dev.berth.local.venue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TradeUpdatesTest extends VenueFixture {
    private static final String LISTEN = "{\"action\":\"listen\",\"data\":{\"streams\":[\"trade_updates\"]}}";

    private StreamReader stream;
    private WebSocket socket;

    @BeforeEach
    void start() {
        stream = new StreamReader();
        socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(URI.create("ws://127.0.0.1:" + venue.port() + "/stream"), stream)
                .join();
    }

    @AfterEach
    void stop() {
        socket.abort();
    }

    /** Collects whole binary messages. */
    private static final class StreamReader implements WebSocket.Listener {
        final BlockingQueue<JsonNode> messages = new LinkedBlockingQueue<>();
        private final ByteArrayOutputStream message = new ByteArrayOutputStream();

        @Override
        public @Nullable CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
            var bytes = new byte[data.remaining()];
            data.get(bytes);
            message.writeBytes(bytes);
            if (last) {
                try {
                    messages.add(VenueClient.JSON.readTree(message.toByteArray()));
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
                message.reset();
            }
            socket.request(1);
            return null;
        }
    }

    private JsonNode say(String message) throws InterruptedException {
        socket.sendText(message, true).join();
        return next();
    }

    private JsonNode next() throws InterruptedException {
        var message = stream.messages.poll(10, TimeUnit.SECONDS);
        assertThat(message).isNotNull();
        return message;
    }

    private void listenAsAlice() throws InterruptedException {
        assertThat(say("{\"action\":\"auth\",\"key\":\"alice\",\"secret\":\"paper-alice\"}")
                        .at("/data/status")
                        .asText())
                .isEqualTo("authorized");
        assertThat(say(LISTEN).path("stream").asText()).isEqualTo("listening");
    }

    private List<String> events(int count) throws InterruptedException {
        var events = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            events.add(next().at("/data/event").asText());
        }
        return events;
    }

    @Test
    void fillContainsExecution() throws Exception {
        listenAsAlice();
        var order = client.submit("a", "qty", "2");

        assertThat(next().at("/data/event").asText()).isEqualTo("new");
        var fill = next();
        assertThat(fill.path("stream").asText()).isEqualTo("trade_updates");
        assertThat(fill.at("/data/event").asText()).isEqualTo("fill");
        assertThat(fill.at("/data/price").asText()).isEqualTo("100.01");
        assertThat(fill.at("/data/qty").asText()).isEqualTo("2");
        assertThat(fill.at("/data/position_qty").asText()).isEqualTo("2");
        assertThat(fill.at("/data/order/id").asText()).isEqualTo(order.text("id"));
        assertThat(fill.at("/data/order/status").asText()).isEqualTo("filled");
        assertThat(fill.at("/data/execution_id").asText())
                .isEqualTo(client.book().getFirst().at("/fills/0/execution_id").asText());
    }

    @Test
    void orderChangesArriveInOrder() throws Exception {
        listenAsAlice();
        client.quote("AAPL", "{\"bid\":\"99\",\"ask\":\"100\",\"askSize\":\"1\"}");
        var old = client.submit("a", "qty", "3", "type", "limit", "limit_price", "100");
        var next = client.patch(old.text("id"), "{\"limit_price\":\"98\"}");
        client.delete("/v2/orders/" + next.text("id"));
        var rejected = client.submit("b", "time_in_force", "opg");
        client.put("/_control/orders/" + rejected.text("id"), "{\"status\":\"rejected\"}");
        var expired = client.submit("c", "type", "limit", "limit_price", "50");
        client.put("/_control/orders/" + expired.text("id"), "{\"status\":\"expired\"}");

        assertThat(events(9))
                .containsExactly(
                        "new", "partial_fill", "replaced", "new", "canceled", "accepted", "rejected", "new", "expired");
    }

    @Test
    void waitingOrderIsAnnouncedAgainWhenItMayTrade() throws Exception {
        listenAsAlice();
        client.put("/_control/session", "{\"session\":\"closed\"}");
        client.submit("a");
        assertThat(events(1)).containsExactly("accepted");
        client.put("/_control/faults", "{\"silent\":1.0}");

        client.put("/_control/session", "{\"session\":\"regular\"}");

        assertThat(events(2)).containsExactly("new", "fill");
    }

    @Test
    void correctionNamesBothExecutions() throws Exception {
        listenAsAlice();
        var id = client.submit("a").text("id");
        assertThat(events(2)).containsExactly("new", "fill");
        var execution = client.book().getFirst().at("/fills/0/execution_id").asText();

        var corrected = client.post(
                "/_control/orders/" + id + "/corrections",
                "{\"executionId\":\"%s\",\"price\":\"101.5\"}".formatted(execution));

        var update = next().path("data");
        assertThat(update.path("event").asText()).isEqualTo("trade_correct");
        assertThat(update.path("previous_execution_id").asText()).isEqualTo(execution);
        assertThat(update.path("execution_id").asText()).isEqualTo(corrected.text("execution_id"));
        assertThat(update.path("price").asText()).isEqualTo("101.5");
        assertThat(update.at("/order/filled_avg_price").asText()).isEqualTo("101.5");
    }

    @Test
    void updatesAreRepeatedOrMissing() throws Exception {
        listenAsAlice();
        client.put("/_control/faults", "{\"repeatUpdates\":1.0}");
        client.submit("a");
        assertThat(events(4)).containsExactly("new", "new", "fill", "fill");
        client.put("/_control/faults", "{\"silent\":1.0}");
        client.submit("b");
        client.put("/_control/faults", "{}");

        client.submit("c");

        assertThat(next().at("/data/order/client_order_id").asText()).isEqualTo("c");
    }

    @Test
    void lateExecutionAndBustContainExecution() throws Exception {
        listenAsAlice();
        var order = client.submit("a", "qty", "3", "type", "limit", "limit_price", "90");
        client.delete("/v2/orders/" + order.text("id"));
        assertThat(events(2)).containsExactly("new", "canceled");
        var path = "/_control/orders/" + order.text("id");

        var execution = client.post(path + "/executions", "{\"qty\":\"2\",\"price\":\"90\"}")
                .text("execution_id");
        assertTold("partial_fill", "execution_id", execution, "2");
        client.post(path + "/repeat", "{}");
        assertTold("partial_fill", "execution_id", execution, "2");
        client.post(path + "/busts", "{\"executionId\":\"%s\"}".formatted(execution));
        assertTold("trade_bust", "previous_execution_id", execution, "0");
    }

    private void assertTold(String event, String name, String execution, String filled) throws InterruptedException {
        var told = next();
        assertThat(told.at("/data/event").asText()).isEqualTo(event);
        assertThat(told.path("data").path(name).asText()).isEqualTo(execution);
        assertThat(told.at("/data/qty").asText()).isEqualTo("2");
        assertThat(told.at("/data/price").asText()).isEqualTo("90");
        assertThat(told.at("/data/position_qty").asText()).isEqualTo(filled);
        assertThat(told.at("/data/order/status").asText()).isEqualTo("canceled");
        assertThat(told.at("/data/order/filled_qty").asText()).isEqualTo(filled);
    }

    @Test
    void olderAuthenticationFormatWorks() throws Exception {
        var answer =
                say("{\"action\":\"authenticate\",\"data\":{\"key_id\":\"alice\",\"secret_key\":\"paper-alice\"}}");

        assertThat(answer.path("stream").asText()).isEqualTo("authorization");
        assertThat(answer.at("/data/status").asText()).isEqualTo("authorized");
    }

    @Test
    void wrongSecretReceivesNoUpdates() throws Exception {
        client.get("/v2/account");

        assertThat(say("{\"action\":\"auth\",\"key\":\"alice\",\"secret\":\"guess\"}")
                        .at("/data/status")
                        .asText())
                .isEqualTo("unauthorized");
        assertThat(say(LISTEN).path("stream").asText()).isEqualTo("error");
    }

    @Test
    void updatesStayWithinAccount() throws Exception {
        listenAsAlice();
        new VenueClient(venue, "bob").submit("theirs");
        client.submit("mine");

        assertThat(next().at("/data/order/client_order_id").asText()).isEqualTo("mine");
    }
}
