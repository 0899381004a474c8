package dev.berth.workflows.pool;

import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.Changes;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Looks every round and at every claim, starts what is missing and retires what is too much. */
public final class PoolWorkflowImpl implements PoolWorkflow {
    /** Names a change of this code in histories. */
    private static final String WAITS_WHEN_ALL_ARE_SPARED = "waits-when-all-are-spared";

    private final PoolTasks tasks = Workflow.newLocalActivityStub(PoolTasks.class, PoolPolicies.quick());
    private final PoolTasks launch = Workflow.newActivityStub(PoolTasks.class, PoolPolicies.run());
    private final List<String> dead = new ArrayList<>();
    private PoolState pool;
    private boolean look;
    /** What the Web UI can be searched by; null before this run has said. */
    private @Nullable Boolean attention;

    @WorkflowInit
    public PoolWorkflowImpl(PoolState pool) {
        this.pool = pool;
    }

    @Override
    public void run(PoolState input) {
        while (!Workflow.getInfo().isContinueAsNewSuggested()) {
            if (CancellationScope.current().isCancelRequested()) {
                return;
            }
            look = false;
            forgetTheDead();
            PoolView view = tasks.look(pool.size(), pool.starting());
            pool = pool.seen(view, now());
            Optional<String> overdue = pool.overdue(now());
            if (overdue.isPresent()) {
                giveUp(overdue.get());
            } else if (missing(view) > 0) {
                fill(Math.min(missing(view), PoolPolicies.RUN_TASK_LIMIT));
            } else if (pool.isSurplus(now())) {
                shrink(view.surplus());
            }
            Instant next = pool.nextLook(now());
            tell(view, next);
            Workflow.await(Duration.between(now(), next), () -> look);
        }
        forgetTheDead();
        Workflow.continueAsNew(pool);
    }

    // ------------------------------------------------------------------ what is said

    @Override
    public void refill() {
        look = true;
    }

    @Override
    public void taskStopped(String taskArn, String reason, boolean wanted) {
        pool = wanted ? pool.without(taskArn) : pool.died(taskArn, "a worker died at its start: " + reason, now());
        dead.add(taskArn);
        look = true;
    }

    @Override
    public void resize(PoolSize size) {
        pool = pool.resized(size);
        look = true;
    }

    // ------------------------------------------------------------------ what is done

    /** Else a claim would wait for a process that is gone, until its mark runs out. */
    private void forgetTheDead() {
        if (!dead.isEmpty()) {
            List<String> known = List.copyOf(dead);
            tasks.forget(known);
            dead.removeAll(known);
        }
    }

    /** One that is too old stays until its replacement is idle, even in a pool of one. */
    private int missing(PoolView view) {
        PoolSize size = pool.size();
        int wanted = size.target() + (view.hasTooOld() && size.target() > 0 ? 1 : 0);
        return wanted - view.idle() - pool.starting().size();
    }

    private void fill(int missing) {
        if (pool.isHeld(now())) {
            return;
        }
        Workflow.setCurrentDetails("Asks ECS for **%d** workers; launches for users go first".formatted(missing));
        try {
            List<String> started = launch.run(missing, Workflow.randomUUID().toString());
            pool = pool.started(started, now());
            if (started.size() < missing) {
                pool = pool.noRoom(now());
            } else {
                // More than one call allows may be missing: go on at once.
                look |= missing == PoolPolicies.RUN_TASK_LIMIT;
            }
        } catch (ActivityFailure failure) {
            pool = pool.failed(reasonOf(failure), now());
        }
    }

    /** One that was claimed meanwhile is spared. */
    private void shrink(List<String> surplus) {
        boolean anyRetired = false;
        for (String task : surplus) {
            if (tasks.retire(task, "the pool has more than its target")) {
                pool = pool.retired(task);
                anyRetired = true;
            }
        }
        if (anyRetired || looksAtOnceThough()) {
            look = true;
        } else {
            pool = pool.spared();
        }
    }

    /** What a run did before this was changed, so that its history replays. */
    private static boolean looksAtOnceThough() {
        return !Changes.isMade(WAITS_WHEN_ALL_ARE_SPARED);
    }

    /** It hangs; or it was claimed at once, and serves a user. */
    private void giveUp(String taskArn) {
        if (tasks.retire(taskArn, "it did not become idle in time")) {
            pool = pool.died(taskArn, "a worker did not become idle within " + PoolPolicies.START, now());
        } else {
            pool = pool.arrived(taskArn, now());
        }
        look = true;
    }

    // ------------------------------------------------------------------ what is shown

    private void tell(PoolView view, Instant next) {
        boolean calls = pool.isBelowMinimumForLong(now());
        if (!Boolean.valueOf(calls).equals(attention)) {
            attention = calls;
            Workflow.upsertTypedSearchAttributes(BerthSearchAttributes.ATTENTION.valueSet(calls));
        }
        Workflow.setCurrentDetails(PoolDetails.of(pool, view, now(), next));
    }

    private static String reasonOf(ActivityFailure failure) {
        Throwable cause = failure.getCause();
        String why = cause instanceof ApplicationFailure known ? known.getOriginalMessage() : String.valueOf(cause);
        return Objects.requireNonNullElse(why, "no reason given");
    }

    private static Instant now() {
        return Instant.ofEpochMilli(Workflow.currentTimeMillis());
    }
}
