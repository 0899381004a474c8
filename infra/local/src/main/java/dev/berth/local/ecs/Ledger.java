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
 * What is true of every task. All changes go through here, one at a time: kept, written to disk, then told to the
 * listener, so that disk and events see the changes of a task in their order.
 */
final class Ledger {
    /** ECS shows a stopped task for an hour. */
    static final Duration STOPPED_IS_SHOWN = Duration.ofHours(1);
    /** ECS remembers a client token for 24 hours, and with it the tasks that it stands for. */
    static final Duration TOKEN_IS_REMEMBERED = Duration.ofHours(24);

    /** Hears of every change, in order, under the ledger's lock: it must not block. */
    interface Listener {
        /** The task became {@code after}; {@code before} is null when it was just accepted. */
        void changed(@Nullable Task before, Task after);
    }

    private final Map<String, Task> tasks = new LinkedHashMap<>();
    private final JsonFiles files;
    private final InstantSource clock;
    private final Listener listener;

    Ledger(JsonFiles files, InstantSource clock, Listener listener) {
        this.files = files;
        this.clock = clock;
        this.listener = listener;
        files.readAll(Task.class).forEach(task -> tasks.put(task.id(), task));
    }

    Instant now() {
        return clock.instant();
    }

    /** A task that ECS would still show. */
    synchronized Optional<Task> find(String arnOrId) {
        return Optional.ofNullable(tasks.get(Arn.shortId(arnOrId))).filter(this::isShown);
    }

    synchronized List<Task> shown() {
        return tasks.values().stream().filter(this::isShown).toList();
    }

    /** Every task that has not stopped. */
    synchronized List<Task> live() {
        return tasks.values().stream().filter(task -> task.end() == null).toList();
    }

    /** The tasks of a client token, stopped or not; empty when the token is new or forgotten. */
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

    /** Decides on new tasks while nothing else changes, and accepts them. */
    synchronized <R> R admit(Function<Ledger, R> decision, Function<R, Collection<Task>> accepted) {
        forgetOld();
        R decided = decision.apply(this);
        accepted.apply(decided).forEach(task -> keep(null, task));
        return decided;
    }

    /** Makes one change and returns the task after it; a change that alters nothing is none. */
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

    /** Whether every task had stopped before the time was over. */
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

    /** Forgets what neither a reader nor a client token can ask for any more; growing is the moment to shrink. */
    private void forgetOld() {
        for (Task task : List.copyOf(tasks.values())) {
            if (!isShown(task) && !holdsToken(task)) {
                tasks.remove(task.id());
                files.delete(task.id());
            }
        }
    }

    private boolean holdsToken(Task task) {
        return task.plan().request() != null && task.plan().createdAt().isAfter(now().minus(TOKEN_IS_REMEMBERED));
    }

    private boolean isShown(Task task) {
        return task.end() == null || task.end().stoppedAt().isAfter(now().minus(STOPPED_IS_SHOWN));
    }

    private void keep(@Nullable Task before, Task after) {
        tasks.put(after.id(), after);
        files.write(after.id(), after);
        listener.changed(before, after);
        notifyAll();
    }
}
