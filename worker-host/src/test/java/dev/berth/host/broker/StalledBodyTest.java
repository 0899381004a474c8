package dev.berth.host.broker;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.host.TestVenue;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class StalledBodyTest {
    private static final String HALF_AN_ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{";

    @Test
    @Tag("D1")
    @DisplayName("An answer that stalls in its body times out")
    void stalledBodyTimesOut() throws Exception {
        try (ServerSocket venue = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread answering = Thread.ofVirtual().start(() -> answerHalf(venue));
            URI uri = URI.create("http://127.0.0.1:" + venue.getLocalPort());
            var connector = new AlpacaConnector(
                    () -> TestVenue.HTTP, new AlpacaEndpoints(uri, null), 1, Duration.ofMillis(300));
            assertThatThrownBy(
                            () -> connector.open(ACCOUNT, new BrokerCredentials("alice", "paper-alice"), (_, _) -> {}))
                    .isInstanceOf(HttpTimeoutException.class);
            answering.interrupt();
        }
    }

    private static void answerHalf(ServerSocket venue) {
        try (Socket caller = venue.accept()) {
            caller.getOutputStream().write(HALF_AN_ANSWER.getBytes(StandardCharsets.US_ASCII));
            caller.getOutputStream().flush();
            // Until the caller has had enough.
            caller.getInputStream().transferTo(OutputStream.nullOutputStream());
        } catch (IOException gone) {
            // The test is over.
        }
    }
}
