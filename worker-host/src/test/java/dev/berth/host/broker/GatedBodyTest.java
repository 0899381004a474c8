package dev.berth.host.broker;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static dev.berth.temporal.OrderSamples.market;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.host.TestVenue;
import dev.berth.host.broker.BrokerSession.NotSentException;
import dev.berth.host.broker.BrokerSession.ObjectionException;
import dev.berth.host.broker.BrokerSession.WriteGate;
import dev.berth.workflows.order.SubmitOutcome.Cause;
import dev.berth.workflows.order.SubmitOutcome.Declined;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** With a broker that only records the connection and the first byte after the headers. */
class GatedBodyTest {
    private static final BrokerCredentials ALICES = new BrokerCredentials("alice", "paper-alice");
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final CountDownLatch reached = new CountDownLatch(1);
    private final CompletableFuture<String> body = new CompletableFuture<>();
    private ServerSocket broker;
    private AlpacaSession session;

    @BeforeEach
    void listen() throws IOException {
        broker = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::receive);
        URI uri = URI.create("http://127.0.0.1:" + broker.getLocalPort());
        AlpacaHttp http = new AlpacaHttp(TestVenue.HTTP, uri, ALICES, 7, new RequestBudget(200));
        session = new AlpacaSession(http, LIMIT, ACCOUNT, (_, _) -> {});
    }

    @AfterEach
    void stop() throws IOException {
        session.close();
        broker.close();
    }

    private void receive() {
        try (Socket caller = broker.accept();
                var input =
                        new BufferedReader(new InputStreamReader(caller.getInputStream(), StandardCharsets.US_ASCII))) {
            reached.countDown();
            String line = input.readLine();
            while (line != null && !line.isEmpty()) {
                line = input.readLine();
            }
            int first = input.read();
            body.complete(first < 0 ? "" : String.valueOf((char) first));
        } catch (IOException cut) {
            body.complete("");
        }
    }

    private void send(Duration limit, WriteGate gate) throws IOException, InterruptedException {
        session.prepare(market("o-1")).send(limit, gate);
    }

    @Test
    @Tag("X1")
    @Tag("X9")
    @DisplayName("The gate is called after connecting and before writing")
    void callsGateAfterConnecting() throws Exception {
        Declined tooLate = new Declined(Cause.DEADLINE_PASSED);
        assertThatThrownBy(() ->
                        send(LIMIT, () -> reached.await(4, TimeUnit.SECONDS) ? Optional.of(tooLate) : Optional.empty()))
                .isInstanceOfSatisfying(
                        ObjectionException.class,
                        objected -> assertThat(objected.objection()).isEqualTo(tooLate));
        assertThat(body.get(5, TimeUnit.SECONDS)).isEmpty();
    }

    @Test
    @Tag("X3")
    @DisplayName("An order that is given up at the gate is never sent")
    void neverSendsAfterGivingUp() throws Exception {
        CountDownLatch opens = new CountDownLatch(1);
        CountDownLatch opened = new CountDownLatch(1);
        assertThatThrownBy(() -> send(Duration.ofSeconds(2), () -> {
                    opens.await();
                    opened.countDown();
                    return Optional.empty();
                }))
                .isInstanceOf(NotSentException.class);
        opens.countDown();
        assertThat(opened.await(5, TimeUnit.SECONDS)).isTrue();
        assertThat(body.get(5, TimeUnit.SECONDS)).isEmpty();
    }

    @Test
    @Tag("X3")
    @DisplayName("The outcome is unknown after the gate")
    void unknownAfterGate() throws Exception {
        assertThatThrownBy(() -> send(LIMIT, Optional::empty))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(NotSentException.class)
                .isNotInstanceOf(ObjectionException.class);
        assertThat(body.get(5, TimeUnit.SECONDS)).isEqualTo("{");
    }
}
