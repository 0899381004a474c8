package dev.berth.activities.maintenance;

import dev.berth.activities.worker.RedisWorkerMarks;
import dev.berth.activities.worker.WorkerTaskRequests;
import dev.berth.workflows.maintenance.Drift;
import dev.berth.workflows.maintenance.DriftKind;
import dev.berth.workflows.maintenance.HealOutcome;
import dev.berth.workflows.maintenance.Maintenance;
import dev.berth.workflows.maintenance.SweepReport;
import dev.berth.workflows.maintenance.SweepView;
import dev.berth.workflows.pool.PoolTasks;
import dev.berth.workflows.worker.WorkerRequests;
import io.lettuce.core.api.sync.RedisCommands;
import io.temporal.client.WorkflowClient;
import io.temporal.failure.ApplicationFailure;
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
import software.amazon.awssdk.services.ecs.EcsClient;

/** The sweep's look and its heals, over real servers. */
public final class FleetMaintenance implements Maintenance {
    /** Failure type: Redis was away. */
    static final String UNSURE = "marks-prove-nothing";

    private static final Logger LOG = LoggerFactory.getLogger(FleetMaintenance.class);

    private final FleetReading reading;
    private final Map<DriftKind, DriftRule> rules;
    private final RedisWorkerMarks certainty;
    private final Suspects suspects;
    private final KillBudget budget;
    private final InstantSource clock;
    private final FirstLook firstLook = new FirstLook();
    private final Consumer<SweepReport> reports;

    /**
     * What it talks to.
     *
     * @param certainty knows whether Redis was away
     */
    public record Servers(
            EcsClient ecs,
            WorkerTaskRequests requests,
            RedisCommands<String, String> redis,
            RedisWorkerMarks certainty,
            WorkflowClient temporal,
            WorkerRequests workers,
            OrderRows orders,
            PoolTasks pool) {}

    /**
     * Made when the process starts.
     *
     * @param every between two sweeps
     * @param reports hears of each sweep
     */
    public FleetMaintenance(Servers servers, Duration every, InstantSource clock, Consumer<SweepReport> reports) {
        Marks marks = new Marks(servers.redis());
        Tasks tasks = new Tasks(servers.ecs(), servers.requests());
        Workflows workflows = new Workflows(servers.temporal(), clock);
        Owners owners = new Owners(workflows);
        this.reading = new FleetReading(marks, tasks, workflows, clock);
        this.rules = List.<DriftRule>of(
                        new MarkWithoutTask(marks, tasks, workflows),
                        new TaskWithoutMark(marks, tasks, owners),
                        new FrozenWorker(marks, workflows),
                        new DuplicateTask(marks, tasks, owners),
                        new UnownedTask(tasks, servers.pool()),
                        new OrderWithoutWorker(marks, workflows, servers.workers()),
                        new OrderWithoutWorkflow(workflows, servers.orders(), clock),
                        new MissingLifecycle(marks, workflows),
                        new UnwantedWorker(marks, owners))
                .stream()
                .collect(Collectors.toMap(DriftRule::kind, Function.identity()));
        this.certainty = servers.certainty();
        this.suspects = new Suspects(servers.redis(), every);
        this.budget = new KillBudget(servers.redis());
        this.clock = clock;
        this.reports = reports;
    }

    @Override
    public SweepView findDrift() {
        long begun = System.nanoTime();
        requireCertainty();
        FleetView fleet = reading.read();
        requireCertainty();
        List<Sighting> seen = rules.values().stream()
                .flatMap(rule -> rule.look(fleet).stream())
                .toList();
        List<Sighting> proven = suspects.proven(seen, clock.instant());
        Map<DriftKind, Integer> found = new EnumMap<>(DriftKind.class);
        proven.forEach(sighting -> found.merge(sighting.drift().kind(), 1, Integer::sum));
        return new SweepView(
                fleet.marks().size(),
                fleet.running().size(),
                seen.size() - proven.size(),
                found,
                FairShare.of(proven),
                firstLook.stopsPerMinute(fleet.running().size()),
                Duration.ofNanos(System.nanoTime() - begun).toMillis());
    }

    private void requireCertainty() {
        if (certainty.proveNothing()) {
            throw ApplicationFailure.newFailure(
                    "Redis was away within the last 60 s; what is gone from it proves nothing", UNSURE);
        }
    }

    @Override
    public HealOutcome heal(List<Drift> batch, int stopsPerMinute) {
        Map<DriftKind, Integer> healed = new EnumMap<>(DriftKind.class);
        int gone = 0;
        int later = 0;
        int overBudget = 0;
        List<String> failures = new ArrayList<>();
        for (Drift drift : batch) {
            try {
                if (drift.kind().mayStop() && !budget.take(stopsPerMinute)) {
                    overBudget++;
                    continue;
                }
                Healed outcome = rule(drift).heal(drift);
                if (drift.kind().mayStop() && outcome != Healed.DONE) {
                    budget.giveBack();
                }
                switch (outcome) {
                    case DONE -> {
                        healed.merge(drift.kind(), 1, Integer::sum);
                        LOG.info("{} of {} was healed", drift.kind().words(), drift.who());
                    }
                    case GONE -> gone++;
                    case LATER -> later++;
                }
            } catch (RuntimeException failed) {
                LOG.warn("{} of {} could not be healed", drift.kind().words(), drift.who(), failed);
                failures.add("%s of %s: %s".formatted(drift.kind().words(), drift.who(), failed.getMessage()));
            }
        }
        return new HealOutcome(healed, gone, later, overBudget, failures);
    }

    private DriftRule rule(Drift drift) {
        DriftRule rule = rules.get(drift.kind());
        if (rule == null) {
            throw new IllegalStateException("nothing heals " + drift.kind());
        }
        return rule;
    }

    @Override
    public void report(SweepReport report) {
        LOG.info("sweep: {}", report.words());
        reports.accept(report);
    }
}
