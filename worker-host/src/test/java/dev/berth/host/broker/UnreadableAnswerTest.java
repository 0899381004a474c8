package dev.berth.host.broker;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static dev.berth.temporal.OrderSamples.market;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.berth.host.TestVenue;
import dev.berth.workflows.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** With a broker whose answers are no JSON and quote the credentials. */
class UnreadableAnswerTest {
    private HttpServer broker;
    private BrokerSession session;
    private volatile int status = 200;

    @BeforeEach
    void start() throws Exception {
        broker = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 5);
        broker.createContext("/v2/account", call -> {
            byte[] account = "{\"id\": \"alice\"}".getBytes(StandardCharsets.UTF_8);
            call.sendResponseHeaders(200, account.length);
            call.getResponseBody().write(account);
            call.close();
        });
        broker.createContext("/", call -> {
            call.getRequestBody().readAllBytes();
            byte[] echo = ("{\"key\": " + call.getRequestHeaders().getFirst("APCA-API-SECRET-KEY") + "}")
                    .getBytes(StandardCharsets.UTF_8);
            call.sendResponseHeaders(status, echo.length);
            call.getResponseBody().write(echo);
            call.close();
        });
        broker.start();
        URI uri = URI.create("http://127.0.0.1:" + broker.getAddress().getPort());
        session = new AlpacaConnector(() -> TestVenue.HTTP, new AlpacaEndpoints(uri, null), 1, Duration.ofSeconds(5))
                .open(ACCOUNT, new BrokerCredentials("alice", "hush-hush"), (_, _) -> {});
    }

    @AfterEach
    void stop() {
        session.close();
        broker.stop(0);
    }

    private static void assertNotQuoted(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(IOException.class).satisfies(thrown -> {
            StringWriter trace = new StringWriter();
            thrown.printStackTrace(new PrintWriter(trace));
            assertThat(trace.toString()).doesNotContain("hush");
        });
    }

    @Test
    @Tag("X23")
    @DisplayName("No exception quotes an unreadable answer")
    void doesNotQuoteUnreadableAnswer() {
        assertNotQuoted(() -> session.hasWorkingOrders(_ -> true));
        for (int refused : new int[] {401, 422, 429}) {
            status = refused;
            assertNotQuoted(() -> session.prepare(market("o-1")).send(Duration.ofSeconds(5), Optional::empty));
        }
    }

    @Test
    @Tag("X23")
    @DisplayName("Control characters are removed from the broker's text")
    void removesControlCharacters() {
        var error = new AlpacaAnswer(403, Json.tree("{\"code\": 40310000, \"message\": \"no \\u001b[2Jfunds\"}"));
        assertThat(Objects.requireNonNull(AlpacaOrders.rejected(error, 1).reason())
                        .text())
                .isEqualTo("no \uFFFD[2Jfunds");
    }

    @Test
    @Tag("X23")
    @DisplayName("Invalid credentials are rejected but not quoted")
    void doesNotQuoteInvalidCredentials() {
        assertThatThrownBy(() -> new BrokerCredentials("key", "hush\r\nX: y")).hasMessageNotContaining("hush");
        assertThatThrownBy(() -> Json.read("{\"keyId\":\"k\",\"secret\":\"hush hush\"}", BrokerCredentials.class))
                .hasMessageNotContaining("hush")
                .hasNoCause();
    }
}
