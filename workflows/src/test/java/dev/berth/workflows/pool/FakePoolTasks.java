package dev.berth.workflows.pool;

import dev.berth.workflows.ScriptedAnswers;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** ECS with limited room for pool workers, which are idle as soon as they are started. */
final class FakePoolTasks implements PoolTasks {
    /** Client tokens of the calls of RunTask that have ended. */
    final List<String> launches = new CopyOnWriteArrayList<>();

    final List<String> idle = new CopyOnWriteArrayList<>();
    final List<String> retired = new CopyOnWriteArrayList<>();
    /** Tasks that stopped, without an event. */
    final Set<String> stopped = new ConcurrentSkipListSet<>();
    /** Tasks that are claimed at the moment of their retirement. */
    final Set<String> claimed = new ConcurrentSkipListSet<>();
    /** Idle tasks that cannot be retired. */
    final Set<String> unretirable = new ConcurrentSkipListSet<>();

    /** The tasks of each call to forget. */
    final List<List<String>> forgetting = new CopyOnWriteArrayList<>();

    final ScriptedAnswers<Boolean> forgettable = new ScriptedAnswers<>(true);
    final AtomicInteger retirements = new AtomicInteger();
    /** Idle tasks past the maximum lifetime. */
    final Set<String> expired = new ConcurrentSkipListSet<>();

    final AtomicInteger checks = new AtomicInteger();
    final AtomicInteger room = new AtomicInteger(100);
    final ScriptedAnswers<Boolean> reachable = new ScriptedAnswers<>(true);
    final ScriptedAnswers<Boolean> launchable = new ScriptedAnswers<>(true);
    /** What sizes the pool beside its fixed target. */
    volatile PoolPlanner planner = PoolPlanner.fixed();

    volatile InstantSource clock = InstantSource.system();
    /** Whether started tasks become idle. */
    volatile boolean healthy = true;

    private final AtomicInteger started = new AtomicInteger();

    static String arn(int number) {
        return "arn:aws:ecs:eu-central-1:1:task/berth/p" + number;
    }

    @Override
    public PoolView check(PoolSize size, List<String> starting) {
        checks.incrementAndGet();
        reachable.take();
        List<String> surplus =
                new ArrayList<>(idle.stream().filter(expired::contains).toList());
        surplus.addAll(
                idle.reversed().stream().filter(task -> !expired.contains(task)).toList());
        PoolStep step = planner.step(clock.instant(), size.target());
        int target = step == null ? size.target() : step.target();
        return new PoolView(
                idle.size(),
                starting.stream().filter(idle::contains).toList(),
                starting.stream().filter(stopped::contains).toList(),
                surplus.subList(0, Math.max(0, idle.size() - target)),
                idle.stream().anyMatch(expired::contains),
                List.of(),
                step);
    }

    /** One after the other, so that tasks become idle in the order of their numbers. */
    @Override
    public synchronized @Nullable String run(String clientToken) {
        try {
            launchable.take();
            if (room.getAndUpdate(left -> Math.max(0, left - 1)) == 0) {
                return null;
            }
            String task = arn(started.incrementAndGet());
            if (healthy) {
                idle.add(task);
            }
            return task;
        } finally {
            launches.add(clientToken);
        }
    }

    @Override
    public boolean retire(String taskArn, String reason) {
        retirements.incrementAndGet();
        if (unretirable.contains(taskArn)) {
            return false;
        }
        if (claimed.contains(taskArn)) {
            idle.remove(taskArn);
            return false;
        }
        idle.remove(taskArn);
        expired.remove(taskArn);
        retired.add(taskArn);
        return true;
    }

    @Override
    public void forget(List<String> taskArns) {
        forgetting.add(taskArns);
        forgettable.take();
        idle.removeAll(taskArns);
    }
}
