package dev.berth.rest.order;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.order;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.process.settings.BerthSettings;
import dev.berth.rest.Problem;
import dev.berth.rest.routing.HeldStreams;
import dev.berth.routing.ReplicaId;
import dev.berth.routing.StreamEvents;
import dev.berth.routing.StreamRegistry;
import dev.berth.routing.TestRedis;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.dao.DataAccessResourceFailureException;

class LiveOrderLogTest {
    private static final int MAX_PER_USER = 20;
    /** More than one user may have. */
    private static final int ALL = MAX_PER_USER + 2;

    private static final Instant LATER = Instant.MAX;

    private final OrderState accepted = OrderState.accepted(order(ALICE, "o-1", Instant.EPOCH));
    private final OrderState sent = accepted.attempted(Instant.EPOCH);
    private final OrderState failed =
            sent.became(OrderStatus.FAILED, FailureCode.NOT_TAKEN.because("No worker took it."), Instant.EPOCH);
    private final List<OrderState> stored = new CopyOnWriteArrayList<>();
    private final List<Integer> told = new CopyOnWriteArrayList<>();

    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    private final ReplicaId replica = ReplicaId.create("test");
    private final StreamEvents events = new StreamEvents(redis.commands());
    private final OrderChangeListener changes = new OrderChangeListener(
            redis.client(),
            replica,
            new HeldStreams(new StreamRegistry(redis.connection().async()), replica),
            events,
            new SimpleMeterRegistry());
    private final EventStreams streams =
            new EventStreams(changes, new BerthSettings.Streams(ALL, MAX_PER_USER), InstantSource.system());

    @AfterEach
    void stop() {
        changes.close();
    }

    private List<OrderState> after(int revision) {
        return stored.stream().filter(step -> step.revision() > revision).toList();
    }

    private CompletableFuture<Void> follow(LiveOrderLog.Steps steps, int revision) throws InterruptedException {
        return follow(steps, revision, LATER);
    }

    private CompletableFuture<Void> follow(LiveOrderLog.Steps steps, int revision, Instant expiry)
            throws InterruptedException {
        LiveOrderLog.StepListener listener = new LiveOrderLog.StepListener() {
            @Override
            public void step(OrderState step) {
                told.add(step.revision());
            }

            @Override
            public void heartbeat() {}
        };
        EventStreams.Slot slot = streams.open(ALICE, expiry);
        CompletableFuture<Void> end = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try (slot) {
                new LiveOrderLog(steps, listener, changes).follow(revision, slot);
                end.complete(null);
            } catch (IOException | InterruptedException | RuntimeException broken) {
                end.completeExceptionally(broken);
            }
        });
        return end;
    }

    private void publish() {
        events.publish(accepted);
    }

    private void awaitTold(Integer... revisions) {
        Awaitility.await()
                .pollInterval(Duration.ofMillis(10))
                .untilAsserted(() -> assertThat(told).containsExactly(revisions));
    }

    @Tag("D11")
    @DisplayName("A stream sends each step once, despite repeated notices, and ends with the order")
    @Test
    void eachStepIsSentOnce() throws Exception {
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

    @Tag("D11")
    @DisplayName("A stream continues after the client's last revision")
    @Test
    void continuesAfterLastRevision() throws Exception {
        stored.addAll(List.of(accepted, sent, failed));
        follow(this::after, 1).get(5, TimeUnit.SECONDS);
        assertThat(told).containsExactly(2);
    }

    @Tag("D11")
    @DisplayName("A step is sent even if its notice is lost")
    @Test
    void stepWithoutNoticeIsSent() throws Exception {
        stored.add(sent);
        CompletableFuture<Void> end = follow(this::after, -1);
        awaitTold(1);
        changes.close();
        stored.add(failed);
        end.get(10, TimeUnit.SECONDS);
        assertThat(told).containsExactly(1, 2);
    }

    @Tag("D7")
    @DisplayName("A requeued order is not shown as failed")
    @Test
    void failureIsNotKeptAsAnswer() throws Exception {
        try (OrderChangeListener.PendingAnswer pending = changes.expect(failed.request())) {
            events.publishAnswer(failed, 1);
            assertThat(pending.await(Duration.ofSeconds(5))).contains(failed);
        }
        assertThat(changes.withAnswer(accepted)).isEqualTo(accepted);
        OrderState requeued = failed.requeued(FailureCode.REQUEUED.because("again"), Instant.EPOCH);
        assertThat(changes.withAnswer(requeued)).isEqualTo(requeued);
    }

    @Test
    void streamSurvivesPostgresOutage() throws Exception {
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
    void shutdownEndsEveryStream() throws Exception {
        CompletableFuture<Void> end = follow(this::after, -1);
        streams.close();
        end.get(5, TimeUnit.SECONDS);
        assertThat(told).isEmpty();
    }

    @Test
    @Tag("X23")
    @DisplayName("A stream ends when its token expires")
    void streamEndsWithToken() throws Exception {
        stored.add(accepted);
        // Sooner than it would look again by itself.
        CompletableFuture<Void> end = follow(this::after, -1, Instant.now().plusSeconds(2));
        awaitTold(0);
        end.get(4, TimeUnit.SECONDS);
    }

    @Test
    @Tag("X23")
    @DisplayName("An expired token opens no stream")
    void expiredTokenOpensNoStream() {
        assertThatThrownBy(() -> streams.open(ALICE, Instant.now()))
                .isInstanceOfSatisfying(
                        Problem.Refusal.class,
                        refusal -> assertThat(refusal.status().value()).isEqualTo(401));
    }

    @Test
    @Tag("X23")
    @DisplayName("All users together have a limit of streams")
    void streamsOfAllUsersAreLimited() throws Exception {
        List<EventStreams.Slot> slots = new ArrayList<>();
        for (int number = 0; number < ALL; number++) {
            slots.add(streams.open(new UserId("user-" + number % 2), LATER));
        }
        assertThatThrownBy(() -> streams.open(ALICE, LATER)).isInstanceOfSatisfying(Problem.Refusal.class, refusal -> {
            assertThat(refusal.status().value()).isEqualTo(503);
            assertThat(refusal.retryAfterSeconds()).isPresent();
        });
        slots.getFirst().close();
        streams.open(ALICE, LATER).close();
    }

    @Test
    void streamsOfOneUserAreLimited() throws Exception {
        List<EventStreams.Slot> slots = new ArrayList<>();
        for (int number = 0; number < MAX_PER_USER; number++) {
            slots.add(streams.open(ALICE, LATER));
        }
        assertThatThrownBy(() -> streams.open(ALICE, LATER))
                .isInstanceOfSatisfying(
                        Problem.Refusal.class,
                        refusal -> assertThat(refusal.status().value()).isEqualTo(429));
        streams.open(new UserId("bob"), LATER).close();
        slots.getFirst().close();
        streams.open(ALICE, LATER).close();
    }
}
