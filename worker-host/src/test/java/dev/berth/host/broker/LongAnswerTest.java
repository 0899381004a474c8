package dev.berth.host.broker;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.berth.host.TestVenue;
import dev.berth.workflows.order.OrderPolicies;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** With a broker that would fill the memory of the process. */
@Tag("X23")
class LongAnswerTest {
    private static final byte[] BLANKS = " ".repeat(1 << 16).getBytes(StandardCharsets.US_ASCII);

    private final CountDownLatch left = new CountDownLatch(1);

    private static BrokerSession open(URI broker) throws Exception {
        return new AlpacaConnector(() -> TestVenue.HTTP, new AlpacaEndpoints(broker, null), 1, OrderPolicies.OTHER_CALL)
                .open(ACCOUNT, new BrokerCredentials("alice", "paper-alice"), (_, _) -> {});
    }

    @Test
    @DisplayName("An endless answer is given up, and its connection closed")
    void endlessAnswerIsGivenUp() throws Exception {
        HttpServer broker = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 5);
        broker.createContext("/v2/account", call -> {
            byte[] account = "{\"id\": \"alice\"}".getBytes(StandardCharsets.US_ASCII);
            call.sendResponseHeaders(200, account.length);
            call.getResponseBody().write(account);
            call.close();
        });
        broker.createContext("/v2/orders", call -> {
            call.sendResponseHeaders(200, 0);
            try (OutputStream body = call.getResponseBody()) {
                while (true) {
                    body.write(BLANKS);
                }
            } catch (IOException callerLeft) {
                left.countDown();
            }
        });
        broker.start();
        try (BrokerSession session =
                open(URI.create("http://127.0.0.1:" + broker.getAddress().getPort()))) {
            assertThatThrownBy(() -> session.hasWorkingOrders(_ -> true))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(HttpTimeoutException.class);
            assertThat(left.await(20, TimeUnit.SECONDS)).isTrue();
        } finally {
            broker.stop(0);
        }
    }

    @Test
    @DisplayName("A stream that sends an overlong message is closed and opened again")
    void overlongMessageEndsStream() throws Exception {
        try (BareStream venue = new BareStream(true, true);
                BrokerSession session = open(venue.uri())) {
            venue.sendBlanks(1 << 20);
            await().atMost(Duration.ofSeconds(20)).until(() -> venue.opened() == 2);
            session.ping();
        }
    }
}
