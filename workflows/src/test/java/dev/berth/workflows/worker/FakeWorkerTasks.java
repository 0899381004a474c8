package dev.berth.workflows.worker;

import dev.berth.workflows.ScriptedAnswers;
import dev.berth.workflows.UserId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;

/**
 * ECS. Every launch makes task/1, task/2 and so on; every stop is written down in the order of all
 * that happened.
 */
final class FakeWorkerTasks implements WorkerTasks {
    /** One call of RunTask. */
    record Launch(long epoch, String clientToken) {}

    final List<Launch> launches = new CopyOnWriteArrayList<>();
    final List<String> stops = new CopyOnWriteArrayList<>();
    final ScriptedAnswers<Boolean> runs = new ScriptedAnswers<>(true);
    final ScriptedAnswers<Boolean> stopped = new ScriptedAnswers<>(true);
    final AtomicInteger startLooks = new AtomicInteger();
    /** How much longer a task that does not answer may take to start. */
    final ScriptedAnswers<Duration> timeLeft = new ScriptedAnswers<>(Duration.ZERO);
    /** What ECS says of tasks; of any other that it runs. */
    final Map<String, TaskDeath> deaths = new ConcurrentHashMap<>();

    /** Tasks that ECS does not know as workers of this user. */
    final List<String> foreign = new CopyOnWriteArrayList<>();

    final List<String> looks = new CopyOnWriteArrayList<>();

    private final List<String> happened;
    private final LongConsumer started;

    /** With a listener that is told the epoch of every task that runs. */
    FakeWorkerTasks(List<String> happened, LongConsumer started) {
        this.happened = happened;
        this.started = started;
    }

    @Override
    public String run(UserId userId, long epoch, String clientToken) {
        launches.add(new Launch(epoch, clientToken));
        runs.take();
        happened.add("run " + epoch);
        started.accept(epoch);
        return arn(epoch);
    }

    @Override
    public void stop(String taskArn, String reason) {
        stops.add(taskArn);
        stopped.take();
        happened.add("stop " + taskArn);
    }

    @Override
    public boolean isWorkerOf(String taskArn, UserId userId) {
        return !foreign.contains(taskArn);
    }

    @Override
    public Duration startTimeLeft(String taskArn, Duration afterPlacement) {
        startLooks.incrementAndGet();
        return timeLeft.take();
    }

    @Override
    public TaskDeath death(String taskArn) {
        looks.add(taskArn);
        return deaths.getOrDefault(taskArn, TaskDeath.ALIVE);
    }

    static String arn(long epoch) {
        return "arn:aws:ecs:eu-central-1:1:task/berth/" + epoch;
    }
}
