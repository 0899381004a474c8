package dev.berth.activities.pool;

import dev.berth.activities.launch.LaunchOutcome.Started;
import dev.berth.activities.launch.LaunchTarget;
import dev.berth.activities.launch.TaskLaunch;
import dev.berth.activities.launch.UnknownTaskException;
import dev.berth.activities.launch.WorkerHosts;
import dev.berth.activities.launch.WorkerLauncher;
import dev.berth.activities.launch.WorkerTask;
import dev.berth.activities.launch.WorkerTask.State;
import dev.berth.activities.worker.RedisOutages;
import dev.berth.activities.worker.StoppedTasks;
import dev.berth.workflows.FailureType;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.pool.ExchangeCalendar;
import dev.berth.workflows.pool.PoolNames;
import dev.berth.workflows.pool.PoolPlanner;
import dev.berth.workflows.pool.PoolSize;
import dev.berth.workflows.pool.PoolStep;
import dev.berth.workflows.pool.PoolTasks;
import dev.berth.workflows.pool.PoolView;
import dev.berth.workflows.worker.TaskArns;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pool workers of one group, as their heartbeats in Redis tell of them, started and stopped by
 * ECS.
 */
public final class LauncherPoolTasks implements PoolTasks {
    /**
     * Takes a worker off the list, unless the worker is reserved or serves a user. A retired worker
     * is not listed again and gets no claim. Returns 0 without effect.
     */
    private static final String RETIRE = """
            local reserved = redis.call('GET', KEYS[2])
            if redis.call('EXISTS', KEYS[3]) == 1 or (reserved and reserved ~= ARGV[2]) then return 0 end
            redis.call('ZREM', KEYS[1], ARGV[1])
            redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
            return 1
            """;

    /** Longer than a stop takes. */
    static final Duration RETIRED = Duration.ofHours(1);
    /**
     * Three renewals: by then every idle worker has listed itself again after an outage of Redis.
     */
    private static final Duration LIST_RECOVERY = RedisKeys.HEARTBEAT_RENEWAL.multipliedBy(3);

    private static final Logger LOG = LoggerFactory.getLogger(LauncherPoolTasks.class);

    private final WorkerLauncher launcher;
    private final RedisCommands<String, String> redis;
    private final RedisOutages outages;
    private final LaunchTarget target;
    private final TaskLaunch launch;
    private final IdleWorkers idle;
    private final SurplusWorkers surplus;
    private final StoppedTasks stopped;
    private final PoolPlanner planner;
    private final InstantSource clock;
    private final String list;
    private boolean isShort;
    /** Exchanges whose calendar has no more days. */
    private List<String> ended = List.of();

    public LauncherPoolTasks(
            WorkerLauncher launcher,
            WorkerHosts hosts,
            RedisCommands<String, String> redis,
            RedisOutages outages,
            LaunchTarget target,
            TaskLaunch launch,
            PoolPlanner planner,
            InstantSource clock) {
        this.launcher = launcher;
        this.redis = redis;
        this.outages = outages;
        this.target = target;
        this.launch = launch;
        this.planner = planner;
        this.clock = clock;
        this.list = PoolNames.idle(target.group());
        this.idle = new IdleWorkers(redis, list, clock);
        this.stopped = new StoppedTasks(redis);
        this.surplus = new SurplusWorkers(launcher, hosts);
    }

    /** Fails soon after an outage of Redis: otherwise the pool would be filled a second time. */
    @Override
    public PoolView check(PoolSize size, List<String> starting) {
        if (outages.wasWithin(LIST_RECOVERY)) {
            throw FailureType.POOL_NOT_LISTED.failure(
                    "Redis was not reachable within the last 15 s, so live pool workers may not be listed yet");
        }
        // Read first: a worker that becomes idle in between would count as neither starting nor
        // idle.
        Set<String> started = idle.started(starting);
        List<IdleWorkers.IdleWorker> workers = idle.all();
        logShortage(workers.size(), size);
        logEnded();
        PoolStep step = planner.step(clock.instant(), size.target());
        PoolSize sizeNow = step == null ? size : size.withTarget(step.target());
        List<String> missing =
                starting.stream().filter(task -> !started.contains(task)).toList();
        List<WorkerTask> known = launcher.describe(missing);
        return new PoolView(
                workers.size(),
                List.copyOf(started),
                inState(known, State.STOPPED),
                surplus.of(workers, sizeNow),
                workers.stream().anyMatch(worker -> worker.isOlderThan(size.maximumLifetime())),
                inState(known, State.AWAITING_HOST),
                step);
    }

    @Override
    public @Nullable String run(String clientToken) {
        String pool = PoolNames.user(target.group());
        return launch.run(target.forPool(clientToken), pool) instanceof Started started ? started.taskArn() : null;
    }

    @Override
    public boolean retire(String taskArn, String reason) {
        String task = TaskArns.id(taskArn);
        Long isRetired = redis.eval(
                RETIRE,
                ScriptOutputType.INTEGER,
                new String[] {list, RedisKeys.reserved(task), RedisKeys.task(task)},
                task,
                RedisKeys.RETIRED,
                Long.toString(RETIRED.toMillis()));
        if (isRetired == 0) {
            return false;
        }
        stop(taskArn, reason);
        return true;
    }

    /**
     * Stops a worker that is retired.
     *
     * @param task its ARN or id
     */
    void stop(String task, String reason) {
        try {
            launcher.stop(task, reason);
            stopped.record(task);
        } catch (UnknownTaskException gone) {
            // ECS forgets stopped tasks after an hour.
        }
    }

    /** Whether the task is on the list of this group's idle workers. */
    boolean lists(String taskArn) {
        return idle.lists(TaskArns.id(taskArn));
    }

    @Override
    public void forget(List<String> taskArns) {
        String[] tasks = taskArns.stream().map(TaskArns::id).toArray(String[]::new);
        redis.del(Stream.of(tasks).map(RedisKeys::poolHeartbeat).toArray(String[]::new));
        redis.zrem(list, tasks);
    }

    private static List<String> inState(List<WorkerTask> tasks, State state) {
        return tasks.stream()
                .filter(task -> task.state() == state)
                .map(WorkerTask::arn)
                .toList();
    }

    private synchronized void logEnded() {
        Instant now = clock.instant();
        List<String> before = ended;
        ended = planner.calendars().stream()
                .filter(calendar -> calendar.daysLeft(now) < 0)
                .map(ExchangeCalendar::exchange)
                .toList();
        if (!ended.equals(before)) {
            LOG.warn("the calendars of {} have ended: for them the pool keeps its fixed target", ended);
        }
    }

    private synchronized void logShortage(int count, PoolSize size) {
        boolean wasShort = isShort;
        isShort = count < size.minimum();
        if (isShort && !wasShort) {
            LOG.warn(
                    "{} pool workers of the group {} are idle, fewer than the minimum of {}",
                    count,
                    target.group(),
                    size.minimum());
        }
    }
}
