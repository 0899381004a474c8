package dev.berth.api.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.Problem;
import dev.berth.local.LocalRedis;
import dev.berth.workflows.Json;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import io.lettuce.core.RedisClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.dao.DataAccessResourceFailureException;

class LiveLogTest {
    private static final UserId ALICE = new UserId("alice");

    private final OrderState accepted = OrderState.accepted(Samples.order("o-1", Instant.EPOCH));
    private final OrderState sent = accepted.attempted(Instant.EPOCH);
    private final OrderState failed =
            sent.became(OrderStatus.FAILED, FailureCode.NOT_TAKEN.because("Nobody took it."), Instant.EPOCH);
    private final List<OrderState> stored = new CopyOnWriteArrayList<>();
    private final List<Integer> told = new CopyOnWriteArrayList<>();

    private LocalRedis redis;
    private RedisClient client;
    private OrderNews news;
    private EventStreams streams;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        redis = LocalRedis.start(0, folder);
        client = RedisClient.create(redis.uri().toString());
        news = new OrderNews(client);
        streams = new EventStreams(news);
    }

    @AfterEach
    void stop() {
        news.close();
        client.shutdown();
        redis.close();
    }

    private List<OrderState> after(int revision) {
        return stored.stream().filter(step -> step.revision() > revision).toList();
    }

    private CompletableFuture<Void> follow(LiveLog.Steps steps, int revision) {
        LiveLog.Listener listener = new LiveLog.Listener() {
            @Override
            public void step(OrderState step) {
                told.add(step.revision());
            }

            @Override
            public void heartbeat() {}
        };
        EventStreams.Seat seat = streams.take(ALICE);
        CompletableFuture<Void> end = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try (seat) {
                new LiveLog(steps, listener, news).follow(revision, seat);
                end.complete(null);
            } catch (IOException | InterruptedException | RuntimeException broken) {
                end.completeExceptionally(broken);
            }
        });
        return end;
    }

    private void publish() {
        publish("{}");
    }

    private void publish(String message) {
        try (var connection = client.connect()) {
            connection.sync().publish("order-events:alice", message);
        }
    }

    private void awaitTold(Integer... revisions) {
        Awaitility.await()
                .pollInterval(Duration.ofMillis(10))
                .untilAsserted(() -> assertThat(told).containsExactly(revisions));
    }

    @DisplayName(
            "D11 a live log tells the log so far, then each step once though news come twice, and ends with the order")
    @Test
    void everyStepOnce() throws Exception {
        stored.add(accepted);
        CompletableFuture<Void> end = follow(this::after, -1);
        awaitTold(0);
        stored.add(sent);
        publish();
        publish();
        awaitTold(0, 1);
        stored.add(failed);
        publish();
        end.get(5, TimeUnit.SECONDS);
        assertThat(told).containsExactly(0, 1, 2);
    }

    @DisplayName("D11 a live log goes on after the revision that its client had")
    @Test
    void goesOnWhereItWas() throws Exception {
        stored.addAll(List.of(accepted, sent, failed));
        follow(this::after, 1).get(5, TimeUnit.SECONDS);
        assertThat(told).containsExactly(2);
    }

    @DisplayName("D11 a step whose news were lost is told all the same")
    @Test
    void lostNews() throws Exception {
        stored.add(sent);
        CompletableFuture<Void> end = follow(this::after, -1);
        awaitTold(1);
        news.close();
        stored.add(failed);
        end.get(10, TimeUnit.SECONDS);
        assertThat(told).containsExactly(1, 2);
    }

    @DisplayName("D7 an order that failed and was requeued shows as it is, not as it failed")
    @Test
    void aFailureIsNoAnswer() throws Exception {
        try (OrderNews.Waiting waiting = news.expect(failed.request())) {
            publish(Json.write(failed));
            assertThat(waiting.await(Duration.ofSeconds(5))).contains(failed);
        }
        OrderState requeued = failed.requeued(FailureCode.REQUEUED.because("again"), Instant.EPOCH);
        assertThat(news.orAnswered(requeued)).isEqualTo(requeued);
    }

    @Test
    void outlivesPostgresBeingAway() throws Exception {
        List<String> failures = new ArrayList<>(List.of("away"));
        CompletableFuture<Void> end = follow(
                revision -> {
                    if (!failures.isEmpty()) {
                        throw new DataAccessResourceFailureException(failures.removeFirst());
                    }
                    return after(revision);
                },
                -1);
        stored.add(failed);
        publish();
        end.get(10, TimeUnit.SECONDS);
        assertThat(told).containsExactly(2);
    }

    @Test
    void theEndOfTheProcessEndsEveryStream() throws Exception {
        CompletableFuture<Void> end = follow(this::after, -1);
        streams.close();
        end.get(5, TimeUnit.SECONDS);
        assertThat(told).isEmpty();
    }

    @Test
    void aUserHoldsSoManyStreamsAndNoMore() {
        List<EventStreams.Seat> seats = new ArrayList<>();
        for (int number = 0; number < EventStreams.MOST_OF_A_USER; number++) {
            seats.add(streams.take(ALICE));
        }
        assertThatThrownBy(() -> streams.take(ALICE))
                .isInstanceOfSatisfying(
                        Problem.Refusal.class,
                        refusal -> assertThat(refusal.status().value()).isEqualTo(429));
        streams.take(new UserId("bob")).close();
        seats.getFirst().close();
        streams.take(ALICE).close();
    }
}
