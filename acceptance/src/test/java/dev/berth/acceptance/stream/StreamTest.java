package dev.berth.acceptance.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.FleetSummary;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.RestClient;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.ApiReplica;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Processes;
import dev.berth.acceptance.stack.PrometheusMetrics;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;

/** Streams of users at three replicas. */
@ExtendWith(StackExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class StreamTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String RECEIVED = "berth_stream_events_received_total";

    private final Stack stack;
    private RestClient second;

    StreamTest(Stack stack) {
        this.stack = stack;
    }

    @BeforeAll
    void startReplicas() throws Exception {
        assertThat(stack.berth("up", "--replicas", "2")).contains("Replica    " + address(1));
        second = new RestClient(address(1));
    }

    @AfterAll
    void stopReplica() throws Exception {
        stack.process("api-2").kill();
    }

    private URI address(int replica) {
        return URI.create("http://127.0.0.1:" + (stack.port("API", 8080) + replica));
    }

    private StreamClient stream(Trader trader, long after, int... replicas) {
        List<URI> addresses = new ArrayList<>();
        for (int replica : replicas) {
            addresses.add(address(replica));
        }
        return new StreamClient(addresses, 0, trader.token(), after);
    }

    private static void connected(StreamClient stream) {
        await().atMost(TIMEOUT).until(() -> stream.connects() > 0);
    }

    /** An order's answer may come before its record. */
    private static void assertComplete(Stack stack, StreamClient stream, Trader trader, int filled) {
        await().atMost(TIMEOUT).untilAsserted(() -> {
            List<String> recorded = RecordedEvents.of(stack, trader.user());
            assertThat(recorded).filteredOn(event -> event.endsWith(" FILLED")).hasSizeGreaterThanOrEqualTo(filled);
            assertThat(RecordedEvents.of(stream)).isEqualTo(recorded);
        });
        assertThat(stream.messages().stream().map(StreamEvent::position).toList())
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @Test
    @Tag("C6")
    @Tag("D11")
    @DisplayName("A stream shows the steps of orders, their fills and the worker, at any replica")
    void streamShowsOrdersFillsAndWorker() throws Exception {
        Trader trader = stack.trader("stream-all");
        try (StreamClient first = stream(trader, 0, 0);
                StreamClient other = stream(trader, 0, 1)) {
            connected(first);
            connected(other);
            assertThat(trader.submit(OrderBody.market("one", "AAPL", "buy", "2"), 30)
                            .text("status"))
                    .isEqualTo("FILLED");
            for (StreamClient stream : List.of(first, other)) {
                assertComplete(stack, stream, trader, 1);
                assertThat(stream.statuses("one")).startsWith("PENDING").endsWith("FILLED");
                // The first order of a session may fill before its stream is open.
                await().atMost(TIMEOUT)
                        .untilAsserted(() -> assertThat(stream.messages("fill")).hasSize(1));
                await().atMost(TIMEOUT)
                        .until(() -> stream.messages("worker").stream()
                                .anyMatch(message -> message.worker().isIn("ACTIVE")));
            }
            await().atMost(TIMEOUT)
                    .untilAsserted(() -> assertThat(logged(first)).isEqualTo(logged(other)));
            long middle = logged(first).get(1).position();
            try (StreamClient resumed = stream(trader, middle, 1)) {
                await().atMost(TIMEOUT)
                        .untilAsserted(() -> assertThat(logged(resumed))
                                .isEqualTo(
                                        logged(first).subList(2, logged(first).size())));
            }
        }
    }

    /** Without accounts: a stream has each part of one as it is last. */
    private static List<StreamEvent> logged(StreamClient stream) {
        return stream.messages().stream()
                .filter(message -> !message.type().equals("account"))
                .toList();
    }

    @Test
    @Tag("C1")
    @Tag("C2")
    @DisplayName("Events come to the replicas that hold a stream of the user; another sees none of them")
    void otherReplicasSeeNothing() throws Exception {
        Trader trader = stack.trader("stream-routed");
        try (StreamClient stream = stream(trader, 0, 0)) {
            connected(stream);
            double before = PrometheusMetrics.sum(second, RECEIVED);
            double owner = PrometheusMetrics.sum(stack.api(), RECEIVED);
            trader.submit(OrderBody.market("one", "AAPL", "buy", "1"), 30);
            assertComplete(stack, stream, trader, 1);
            assertThat(PrometheusMetrics.sum(stack.api(), RECEIVED)).isGreaterThan(owner);
            assertThat(PrometheusMetrics.sum(second, RECEIVED)).isEqualTo(before);
        }
    }

    @Test
    @Tag("C1")
    @DisplayName("./berth info lists the replicas with what they hold")
    void infoListsReplicas() throws Exception {
        Trader trader = stack.trader("stream-info");
        try (StreamClient stream = stream(trader, 0, 1)) {
            connected(stream);
            await().atMost(TIMEOUT).untilAsserted(() -> {
                List<FleetSummary.Replica> replicas =
                        FleetOperator.of(stack).fleet().replicas();
                assertThat(replicas)
                        .extracting(FleetSummary.Replica::port)
                        .contains(address(0).getPort(), address(1).getPort());
                assertThat(replicas).anySatisfy(replica -> {
                    assertThat(replica.replica()).startsWith("api@");
                    assertThat(replica.port()).isEqualTo(address(1).getPort());
                    assertThat(replica.connections()).isPositive();
                });
            });
            assertThat(stack.berth("info"))
                    .contains("replica")
                    .contains("port " + address(1).getPort());
        }
    }

    @Test
    @DisplayName("A stream that is no WebSocket, or continues behind a foreign position, is refused")
    void badStreamIsRefused() throws Exception {
        Trader trader = stack.trader("stream-bad");
        assertThat(trader.get("/v1/stream").status()).isEqualTo(426);
        assertThat(trader.api()
                        .call("GET", "/v1/stream", null, "Authorization", "Bearer no-token")
                        .status())
                .isEqualTo(401);
        assertThat(trader.get("/v1/stream?after=99").text("type")).isEqualTo("urn:berth:problem:invalid-request");
    }

    /** The last one, since it kills the second replica. */
    @Test
    @Tag("long")
    @Order(Integer.MAX_VALUE)
    @Tag("C6")
    @DisplayName("Over replicas that are killed in turn, a stream shows every event once and in order")
    void streamSurvivesKilledReplicas() throws Exception {
        Trader trader = Eventually.trading(stack, "stream-kills");
        try (ApiReplica third = ApiReplica.start(stack, Map.of());
                StreamClient stream =
                        new StreamClient(List.of(third.api().base(), address(1), address(0)), 0, trader.token(), 0)) {
            connected(stream);
            for (int number = 0; number < 30; number++) {
                if (number == 5) {
                    third.process().destroyForcibly();
                }
                if (number == 15) {
                    await().atMost(TIMEOUT).until(() -> stream.connects() == 2);
                    Processes.signal(stack.process("api-2").pid(), "KILL");
                }
                trader.submit(OrderBody.market("k-" + number, "AAPL", "buy", "1"), 0);
            }
            for (int number = 0; number < 30; number++) {
                Eventually.order(trader, "k-" + number, "FILLED", TIMEOUT);
            }
            assertComplete(stack, stream, trader, 30);
            assertThat(stream.connects()).isEqualTo(3);
        }
    }
}
