package dev.berth.activities.pool;

import dev.berth.activities.worker.RedisOutages;
import dev.berth.activities.worker.TaskLaunch;
import dev.berth.activities.worker.WorkerTaskRequests;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.pool.PoolSize;
import dev.berth.workflows.pool.PoolTasks;
import dev.berth.workflows.pool.PoolView;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.ecs.EcsClient;
import software.amazon.awssdk.services.ecs.model.InvalidParameterException;
import software.amazon.awssdk.services.ecs.model.Task;

/** Pool workers as their marks in Redis tell of them, started and stopped by ECS. */
public final class EcsPoolTasks implements PoolTasks {
    /**
     * Off the list, unless it is reserved or serves a user. While it is retired it does not list itself again, and can
     * not take a claim. 0: nothing was done; 2: it keeps its mark, so it is idle and will hear of this.
     */
    private static final String RETIRE = """
            local reserved = redis.call('GET', KEYS[2])
            if redis.call('EXISTS', KEYS[3]) == 1 or (reserved and reserved ~= ARGV[2]) then return 0 end
            redis.call('ZREM', KEYS[1], ARGV[1])
            redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
            return 1 + redis.call('EXISTS', KEYS[4])
            """;

    private static final long ENDS_BY_ITSELF = 2;

    private static final Duration RETIRED = Duration.ofHours(1);
    /** Three renewals: by then whoever lost its place while Redis was away has listed itself again. */
    private static final Duration LISTED_AGAIN = RedisKeys.MARK_RENEWAL.multipliedBy(3);
    /** Failure type: Redis was away. */
    private static final String UNSURE = "pool-not-listed";

    private static final Logger LOG = LoggerFactory.getLogger(EcsPoolTasks.class);

    private final EcsClient ecs;
    private final RedisCommands<String, String> redis;
    private final RedisOutages outages;
    private final WorkerTaskRequests requests;
    private final TaskLaunch launch;
    private final IdleWorkers idle;
    private final Surplus surplus;
    private boolean isShort;

    public EcsPoolTasks(
            EcsClient ecs,
            RedisCommands<String, String> redis,
            RedisOutages outages,
            WorkerTaskRequests requests,
            TaskLaunch launch,
            InstantSource clock) {
        this.ecs = ecs;
        this.redis = redis;
        this.outages = outages;
        this.requests = requests;
        this.launch = launch;
        this.idle = new IdleWorkers(redis, clock);
        this.surplus = new Surplus(ecs, requests.cluster());
    }

    /** Fails soon after an outage of Redis: the pool would be filled a second time. */
    @Override
    public PoolView look(PoolSize size, List<String> starting) {
        if (outages.wasWithin(LISTED_AGAIN)) {
            throw ApplicationFailure.newFailure(
                    "Redis was away just now; pool workers that live may not be listed yet", UNSURE);
        }
        // First: one that becomes idle in between would be neither starting nor idle.
        Set<String> arrived = idle.arrived(starting);
        List<IdleWorkers.Idle> workers = idle.all();
        say(workers.size(), size);
        List<String> missing =
                starting.stream().filter(task -> !arrived.contains(task)).toList();
        return new PoolView(
                workers.size(),
                List.copyOf(arrived),
                stopped(missing),
                surplus.of(workers, size),
                workers.stream().anyMatch(worker -> worker.isOlderThan(size.maximumLifetime())));
    }

    @Override
    public List<String> run(int count, String clientToken) {
        return launch.run(requests.forPool(count, clientToken)).tasks().stream()
                .map(Task::taskArn)
                .toList();
    }

    @Override
    public boolean retire(String taskArn, String reason) {
        String task = RedisKeys.taskId(taskArn);
        Long mayStop = redis.eval(
                RETIRE,
                ScriptOutputType.INTEGER,
                new String[] {
                    RedisKeys.POOL_IDLE, RedisKeys.reserved(task), RedisKeys.task(task), RedisKeys.poolMark(task)
                },
                task,
                RedisKeys.RETIRED,
                Long.toString(RETIRED.toMillis()));
        if (mayStop == 0) {
            return false;
        }
        if (mayStop == ENDS_BY_ITSELF) {
            // Stopped in its look at the queue it would leave that behind, and the next claim would be lost in it.
            return true;
        }
        try {
            ecs.stopTask(stop -> stop.cluster(requests.cluster()).task(taskArn).reason(reason));
        } catch (InvalidParameterException unknownTask) {
            // ECS forgets stopped tasks after an hour.
        }
        return true;
    }

    @Override
    public void forget(List<String> taskArns) {
        String[] tasks = taskArns.stream().map(RedisKeys::taskId).toArray(String[]::new);
        redis.del(Stream.of(tasks).map(RedisKeys::poolMark).toArray(String[]::new));
        redis.zrem(RedisKeys.POOL_IDLE, tasks);
    }

    /** Those that ECS says are stopped. It may not know yet what it has just started. */
    private List<String> stopped(List<String> taskArns) {
        List<String> stopped = new ArrayList<>();
        for (List<String> some : Surplus.hundreds(taskArns)) {
            ecs.describeTasks(describe -> describe.cluster(requests.cluster()).tasks(some)).tasks().stream()
                    .filter(task -> task.lastStatus().equals("STOPPED"))
                    .map(Task::taskArn)
                    .forEach(stopped::add);
        }
        return stopped;
    }

    private synchronized void say(int count, PoolSize size) {
        boolean before = isShort;
        isShort = count < size.minimum();
        if (isShort && !before) {
            LOG.warn("{} pool workers are idle, fewer than the minimum of {}", count, size.minimum());
        }
    }
}
