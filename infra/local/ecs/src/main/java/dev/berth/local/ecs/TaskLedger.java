package dev.berth.local.ecs;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The state of every task. Applies changes one at a time: memory, disk, then the listener, so that
 * disk and events see the changes of a task in order.
 */
final class TaskLedger {
    /** ECS shows a stopped task for an hour. */
    static final Duration STOPPED_RETENTION = Duration.ofHours(1);
    /** ECS remembers a client token and its tasks for 24 hours. */
    static final Duration TOKEN_RETENTION = Duration.ofHours(24);

    /** Receives every change in order, under the ledger's lock: it must not block. */
    interface TaskChangeListener {
        /** The task became {@code after}; {@code before} is null for a new task. */
        void changed(@Nullable Task before, Task after);
    }

    private final Map<String, Task> tasks = new LinkedHashMap<>();
    private final JsonFiles files;
    private final InstantSource clock;
    private final TaskChangeListener listener;

    TaskLedger(JsonFiles files, InstantSource clock, TaskChangeListener listener) {
        this.files = files;
        this.clock = clock;
        this.listener = listener;
        files.readAll(Task.class).forEach(task -> tasks.put(task.id(), task));
    }

    Instant now() {
        return clock.instant();
    }

    /** A task within its retention. */
    synchronized Optional<Task> find(String arnOrId) {
        return Optional.ofNullable(tasks.get(Arn.shortId(arnOrId))).filter(this::isRetained);
    }

    synchronized List<Task> retained() {
        return tasks.values().stream().filter(this::isRetained).toList();
    }

    /** Every task that has not stopped. */
    synchronized List<Task> live() {
        return tasks.values().stream().filter(task -> task.end() == null).toList();
    }

    /** The tasks of a client token, running or stopped; empty for a new or expired token. */
    synchronized List<Task> ofToken(String clientToken) {
        return tasks.values().stream()
                .filter(task -> holdsToken(task)
                        && task.plan().request() != null
                        && task.plan().request().clientToken().equals(clientToken))
                .toList();
    }

    TaskPlan plan(String taskId) {
        return change(taskId, task -> task).plan();
    }

    /** Runs the decision on new tasks under the lock, and accepts them. */
    synchronized <R> R admit(Function<TaskLedger, R> decision, Function<R, Collection<Task>> accepted) {
        removeExpired();
        R decided = decision.apply(this);
        accepted.apply(decided).forEach(task -> keep(null, task));
        return decided;
    }

    /** Applies one change and returns the new task. A change without effect is not recorded. */
    synchronized Task change(String taskId, UnaryOperator<Task> change) {
        Task before = tasks.get(taskId);
        if (before == null) {
            throw new IllegalArgumentException("no task " + taskId);
        }
        Task after = change.apply(before);
        if (!after.equals(before)) {
            keep(before, after);
        }
        return after;
    }

    /** Whether every task stopped within the limit. */
    synchronized boolean awaitNoneLive(Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!live().isEmpty()) {
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return false;
            }
            wait(left);
        }
        return true;
    }

    /** Removes tasks that neither a call nor a client token can find. */
    private void removeExpired() {
        for (Task task : List.copyOf(tasks.values())) {
            if (!isRetained(task) && !holdsToken(task)) {
                tasks.remove(task.id());
                files.delete(task.id());
            }
        }
    }

    private boolean holdsToken(Task task) {
        return task.plan().request() != null && task.plan().createdAt().isAfter(now().minus(TOKEN_RETENTION));
    }

    private boolean isRetained(Task task) {
        return task.end() == null || task.end().stoppedAt().isAfter(now().minus(STOPPED_RETENTION));
    }

    private void keep(@Nullable Task before, Task after) {
        tasks.put(after.id(), after);
        files.write(after.id(), after);
        listener.changed(before, after);
        notifyAll();
    }
}
