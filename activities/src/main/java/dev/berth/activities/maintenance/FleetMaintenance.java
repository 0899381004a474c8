package dev.berth.activities.maintenance;

import dev.berth.activities.launch.WorkerLauncher;
import dev.berth.activities.order.OrderReadModel;
import dev.berth.activities.worker.RedisWorkerHeartbeats;
import dev.berth.activities.worker.SuspensionSignals;
import dev.berth.temporal.client.KnownLifecycles;
import dev.berth.temporal.client.LifecycleIndex;
import dev.berth.temporal.client.LifecycleWorkflowClient;
import dev.berth.temporal.client.OrderIndex;
import dev.berth.temporal.client.OrderWorkflowClient;
import dev.berth.workflows.FailureType;
import dev.berth.workflows.maintenance.Drift;
import dev.berth.workflows.maintenance.DriftKind;
import dev.berth.workflows.maintenance.HealOutcome;
import dev.berth.workflows.maintenance.Maintenance;
import dev.berth.workflows.maintenance.SweepReport;
import dev.berth.workflows.maintenance.SweepView;
import dev.berth.workflows.order.OrderRecords;
import dev.berth.workflows.pool.PoolTasks;
import dev.berth.workflows.worker.WorkerRequests;
import io.lettuce.core.api.sync.RedisCommands;
import io.temporal.client.WorkflowClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds and heals drift of the fleet. */
public final class FleetMaintenance implements Maintenance {
    private static final Logger LOG = LoggerFactory.getLogger(FleetMaintenance.class);

    /** A younger order may not be in visibility yet. */
    private static final Duration VISIBLE = Duration.ofSeconds(10);

    private final FleetReading reading;
    private final Map<DriftKind, DriftRule> rules;
    private final RedisWorkerHeartbeats redisState;
    private final SuspectedDrifts suspects;
    private final StopBudget budget;
    private final InstantSource clock;
    private final Consumer<SweepReport> listener;

    /**
     * Servers, and the ports to them.
     *
     * @param redisState knows the outages of Redis
     * @param orders the read model
     */
    public record Servers(
            WorkerLauncher launcher,
            RedisCommands<String, String> redis,
            RedisWorkerHeartbeats redisState,
            WorkflowClient temporal,
            WorkerRequests workers,
            OrderReadModel orders,
            OrderRecords records,
            SuspensionSignals suspensions,
            PoolTasks pool) {}

    /**
     * Creates the activities.
     *
     * @param interval between two sweeps
     * @param listener receives the report of each sweep
     */
    public FleetMaintenance(Servers servers, Duration interval, InstantSource clock, Consumer<SweepReport> listener) {
        HeartbeatKeys heartbeats = new HeartbeatKeys(servers.redis());
        WorkerLauncher launcher = servers.launcher();
        LifecycleWorkflowClient lifecycles = new LifecycleWorkflowClient(servers.temporal());
        OrderWorkflowClient orders = new OrderWorkflowClient(servers.temporal());
        AbandonedOrders abandoned = new AbandonedOrders(orders);
        LifecycleReports reports = new LifecycleReports(lifecycles);
        this.reading = new FleetReading(heartbeats, launcher, index(servers, abandoned, clock), clock);
        this.rules = List.<DriftRule>of(
                        new HeartbeatWithoutTask(heartbeats, launcher, lifecycles),
                        new TaskWithoutHeartbeat(heartbeats, launcher, reports),
                        new FrozenWorker(heartbeats, lifecycles),
                        new DuplicateTask(heartbeats, launcher, reports),
                        new UnownedTask(launcher, servers.pool()),
                        new OrderWithoutWorker(heartbeats, orders, servers.workers()),
                        new OrderWithoutWorkflow(abandoned, orders, servers.orders()::find, servers.records(), clock),
                        new SuspendedWorker(servers.suspensions()),
                        new MissingLifecycle(heartbeats, lifecycles),
                        new UnwantedWorker(heartbeats, reports))
                .stream()
                .collect(Collectors.toMap(DriftRule::kind, Function.identity()));
        this.redisState = servers.redisState();
        this.suspects = new SuspectedDrifts(servers.redis(), interval);
        this.budget = new StopBudget(servers.redis());
        this.clock = clock;
        this.listener = listener;
    }

    private static FleetReading.FleetIndex index(Servers servers, AbandonedOrders abandoned, InstantSource clock) {
        KnownLifecycles lifecycles = new KnownLifecycles(new LifecycleIndex(servers.temporal()), clock);
        OrderIndex orders = new OrderIndex(servers.temporal());
        return new FleetReading.FleetIndex(
                lifecycles::read,
                orders::running,
                () -> abandoned.among(orders.abortedRuns()),
                () -> new RecordedFleet(
                        servers.orders().open(VISIBLE), servers.suspensions().suspended()));
    }

    @Override
    public SweepView findDrift() {
        long start = System.nanoTime();
        requireRedisWasUp();
        FleetSnapshot fleet = reading.read();
        requireRedisWasUp();
        List<DriftObservation> observed = rules.values().stream()
                .flatMap(rule -> rule.find(fleet).stream())
                .toList();
        List<DriftObservation> confirmed = suspects.confirmed(observed, clock.instant());
        Map<DriftKind, Integer> found = new EnumMap<>(DriftKind.class);
        confirmed.forEach(observation -> found.merge(observation.drift().kind(), 1, Integer::sum));
        return new SweepView(
                fleet.heartbeats().size(),
                fleet.running().size(),
                observed.size() - confirmed.size(),
                found,
                FairShare.of(confirmed),
                budget.nextSweep(fleet.running().size()),
                Duration.ofNanos(System.nanoTime() - start).toMillis());
    }

    private void requireRedisWasUp() {
        if (redisState.proveNothing()) {
            throw FailureType.HEARTBEATS_UNKNOWN.failure(
                    "Redis was down within the last 60 s, so a missing key proves nothing");
        }
    }

    @Override
    public HealOutcome heal(List<Drift> batch, int stopsPerMinute) {
        Map<DriftKind, Integer> healed = new EnumMap<>(DriftKind.class);
        int resolved = 0;
        int inProgress = 0;
        int overBudget = 0;
        List<String> failures = new ArrayList<>();
        for (Drift drift : batch) {
            try {
                if (drift.kind().mayStop() && !budget.take(stopsPerMinute)) {
                    overBudget++;
                    continue;
                }
                DriftRule.Result result = rule(drift).heal(drift);
                if (drift.kind().mayStop() && result != DriftRule.Result.HEALED) {
                    budget.giveBack();
                }
                switch (result) {
                    case HEALED -> {
                        healed.merge(drift.kind(), 1, Integer::sum);
                        LOG.info("healed {} of {}", drift.kind().text(), drift.owner());
                    }
                    case RESOLVED -> resolved++;
                    case IN_PROGRESS -> inProgress++;
                }
            } catch (RuntimeException failed) {
                LOG.warn("cannot heal {} of {}", drift.kind().text(), drift.owner(), failed);
                failures.add("%s of %s: %s".formatted(drift.kind().text(), drift.owner(), failed.getMessage()));
            }
        }
        return new HealOutcome(healed, resolved, inProgress, overBudget, failures);
    }

    private DriftRule rule(Drift drift) {
        DriftRule rule = rules.get(drift.kind());
        if (rule == null) {
            throw new IllegalStateException("no rule for " + drift.kind());
        }
        return rule;
    }

    @Override
    public void report(SweepReport report) {
        LOG.info("sweep: {}", report.text());
        listener.accept(report);
    }
}
