package dev.berth.host.broker;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.berth.host.TestVenue;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderStatus;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** With a broker that refuses to cancel, for example during a replacement. */
class RefusedCancelTest {
    private static final VenueClientOrderId ID = VenueClientOrderId.parse("o-1");

    private final AtomicInteger cancels = new AtomicInteger();
    private volatile String status = "new";
    private volatile String afterwards = "new";
    private HttpServer broker;
    private BrokerSession session;

    @BeforeEach
    void start() throws Exception {
        broker = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 5);
        broker.createContext("/", this::answer);
        broker.start();
        URI uri = URI.create("http://127.0.0.1:" + broker.getAddress().getPort());
        session = new AlpacaConnector(() -> TestVenue.HTTP, new AlpacaEndpoints(uri, null), 1, Duration.ofSeconds(5))
                .open(ACCOUNT, new BrokerCredentials("alice", "paper-alice"), (_, _) -> {});
    }

    @AfterEach
    void stop() {
        session.close();
        broker.stop(0);
    }

    private void answer(HttpExchange call) throws IOException {
        boolean isCancel = call.getRequestMethod().equals("DELETE");
        if (isCancel) {
            cancels.incrementAndGet();
        }
        String body =
                isCancel ? "{\"code\": 42210000, \"message\": \"order is not cancelable\"}" : """
                {"id": "v-1", "client_order_id": "o-1", "status": "%s", "qty": "1", "filled_qty": "0",
                 "updated_at": "2026-03-02T12:00:00Z"}""".formatted(status);
        if (isCancel) {
            status = afterwards;
        }
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        call.sendResponseHeaders(isCancel ? 422 : 200, bytes.length);
        call.getResponseBody().write(bytes);
        call.close();
    }

    @Test
    @Tag("E6")
    @DisplayName("A refused cancel of a working order returns it as it was, with the broker's reason")
    void refusedCancelOfWorkingOrderHasReason() throws Exception {
        ExecutionReport order = session.cancel(ID).orElseThrow();
        assertThat(order.status()).isEqualTo(OrderStatus.NEW);
        assertThat(order.reason()).hasToString("broker: not-canceled: The broker refused: order is not cancelable.");
        assertThat(cancels).hasValue(1);
    }

    @Test
    @Tag("E6")
    @DisplayName("A cancel that is refused during a replacement fails, and is tried again")
    void cancelDuringReplacementFails() {
        afterwards = "pending_replace";
        assertThatThrownBy(() -> session.cancel(ID))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("422");
    }

    @Test
    @Tag("E6")
    @DisplayName("A late cancel returns the final order")
    void lateCancelReturnsFinalOrder() throws Exception {
        afterwards = "filled";
        assertThat(session.cancel(ID).orElseThrow().status()).isEqualTo(OrderStatus.FILLED);
    }

    @Test
    @Tag("E6")
    @DisplayName("A cancel of a replaced order returns it")
    void cancelOfReplacedOrderReturnsIt() throws Exception {
        afterwards = "replaced";
        assertThat(session.cancel(ID).orElseThrow().venueStatus()).isEqualTo("replaced");
    }

    @Test
    @Tag("E6")
    @DisplayName("A cancel of an order that is pending cancel succeeds")
    void cancelOfPendingCancelSucceeds() throws Exception {
        afterwards = "pending_cancel";
        assertThat(session.cancel(ID).orElseThrow().status()).isEqualTo(OrderStatus.PENDING_CANCEL);
    }
}
