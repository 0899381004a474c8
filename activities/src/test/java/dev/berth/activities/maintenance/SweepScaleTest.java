package dev.berth.activities.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.TestEcs;
import dev.berth.activities.TestRedis;
import dev.berth.activities.worker.WorkerTaskRequests;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds.OrderId;
import dev.berth.workflows.maintenance.Drift;
import dev.berth.workflows.maintenance.DriftKind;
import dev.berth.workflows.maintenance.SweepView;
import dev.berth.workflows.worker.WorkerPhase;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A fleet of tasks that are only listed, and of marks that nobody renews; the index of lifecycles is not measured. */
class SweepScaleTest {
    private static final Logger LOG = LoggerFactory.getLogger(SweepScaleTest.class);
    private static final int FLEET = 10_000;
    /** The goal is 1 s; a machine that builds beside may need longer. */
    private static final Duration LONGEST = Duration.ofSeconds(20);

    private TestRedis redis;
    private TestEcs ecs;
    private WorkerTaskRequests requests;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        redis = TestRedis.start(folder.resolve("redis"));
        ecs = TestEcs.start(folder.resolve("ecs"));
        requests = ecs.workersRunning(TestEcs.OBEDIENT);
        ecs.phantoms(FLEET);
    }

    @AfterEach
    void close() {
        ecs.close();
        redis.close();
    }

    private static UserId user(int number) {
        return new UserId("user-" + number);
    }

    private Map<UserId, WorkerPhase> markAll(int count) {
        Map<String, String> marks = new HashMap<>();
        Map<UserId, WorkerPhase> lifecycles = new HashMap<>();
        for (int number = 0; number < count; number++) {
            marks.put(RedisKeys.mark(user(number)), TestEcs.phantom(number));
            lifecycles.put(user(number), WorkerPhase.ACTIVE);
        }
        redis.commands().mset(marks);
        return lifecycles;
    }

    private FleetView look(Map<UserId, WorkerPhase> lifecycles) {
        FleetIndex index = new FleetIndex() {
            @Override
            public Map<UserId, WorkerPhase> lifecycles() {
                return lifecycles;
            }

            @Override
            public Map<UserId, ClientOrderId> orders() {
                return Map.of();
            }

            @Override
            public List<OrderId> abandoned() {
                return List.of();
            }
        };
        Marks marks = new Marks(redis.commands());
        return new FleetReading(marks, new Tasks(ecs.client(), requests), index, InstantSource.system()).read();
    }

    @DisplayName("A10 10,000 workers are read within seconds, and a healthy one among them is no drift")
    @Test
    void tenThousand() {
        Map<UserId, WorkerPhase> lifecycles = markAll(FLEET);
        look(lifecycles);
        Instant since = Instant.now();
        FleetView fleet = look(lifecycles);
        Duration took = Duration.between(since, Instant.now());
        LOG.warn("{} marks and tasks in {} ms", FLEET, took.toMillis());
        assertThat(fleet.marks()).hasSize(FLEET);
        assertThat(fleet.running()).hasSize(FLEET);
        assertThat(fleet.unmarked()).isEmpty();
        assertThat(fleet.unknown()).isEmpty();
        assertThat(took).isLessThan(LONGEST);
    }

    @DisplayName("A10 however much drifted, and however long the names, what goes through Temporal is below 100 KB")
    @Test
    void payload() {
        String longest = "u".repeat(58);
        List<Sighting> all = IntStream.range(0, 5_000)
                .mapToObj(number -> new UserId("%s%05d".formatted(longest, number)))
                .map(user -> Sighting.absent(new Drift(DriftKind.MISSING_LIFECYCLE, user, "f".repeat(32), 123)))
                .toList();
        List<Drift> some = FairShare.of(all);
        assertThat(some).hasSizeBetween(100, SweepView.MOST_DRIFTS);
        assertThat(size(some)).isLessThan(100_000);
        List<Sighting> shorter = IntStream.range(0, 5_000)
                .mapToObj(number -> new Drift(DriftKind.FROZEN_WORKER, user(number), "", 0))
                .map(Sighting::absent)
                .toList();
        assertThat(size(FairShare.of(shorter))).isLessThan(100_000);
    }

    private static int size(List<Drift> drifts) {
        SweepView view = new SweepView(1, 1, 0, Map.of(), drifts, 10, 1);
        return Json.write(view).getBytes(StandardCharsets.UTF_8).length;
    }
}
