package dev.berth.workflows.pool;

import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.Steps;
import dev.berth.workflows.Steps.Step;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.WorkflowTasks;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Checks the pool regularly and at every signal, starts missing workers and retires surplus
 * workers.
 */
public final class PoolWorkflowImpl implements PoolWorkflow {
    private final PoolTasks tasks = Workflow.newLocalActivityStub(PoolTasks.class, PoolPolicies.quick());
    private final PoolTasks launch = Workflow.newActivityStub(PoolTasks.class, PoolPolicies.run(group()));
    private final Steps steps = new Steps(List.of(
            Step.when(() -> !pool().stopped().isEmpty(), this::forgetStopped),
            Step.when(() -> Workflow.getInfo().isContinueAsNewSuggested(), () -> Workflow.continueAsNew(pool().due())),
            new Step(now -> pool().nextCheck(now), this::check)));
    private PoolState pool;

    @WorkflowInit
    public PoolWorkflowImpl(PoolState pool) {
        this.pool = pool;
    }

    @Override
    public void run(PoolState input) {
        WorkflowIds.requireOwn(PoolNames.workflowId(group()));
        steps.runWhile(() -> !CancellationScope.current().isCancelRequested());
    }

    private PoolState pool() {
        return pool;
    }

    /** A signal that comes meanwhile calls for the next check. */
    private void check() {
        pool = pool.withCheckedAt(WorkflowTasks.now());
        PoolView view = tasks.check(pool.size(), pool.starting());
        pool = pool.checked(view, WorkflowTasks.now());
        Optional<String> overdue = pool.overdue(WorkflowTasks.now());
        if (overdue.isPresent()) {
            retireOverdue(overdue.get());
        } else if (missing(view) > 0) {
            fill(Math.min(missing(view), PoolPolicies.LAUNCHES_AT_ONCE));
        } else if (pool.isSurplus(WorkflowTasks.now())) {
            shrink(view.surplus());
        }
        if (pool.checkedAt() != null) {
            pool = pool.withCheckedAt(WorkflowTasks.now());
        }
        publish(view);
    }

    @Override
    public void refill() {
        pool = pool.due();
    }

    @Override
    public void taskStopped(String taskArn, String reason, boolean wanted) {
        PoolState left = wanted
                ? pool.without(taskArn)
                : pool.stopped(taskArn, "a worker stopped at its start: " + reason, WorkflowTasks.now());
        pool = left.toForget(taskArn).due();
    }

    @Override
    public void resize(PoolSize size) {
        pool = pool.resized(size);
    }

    @Override
    public PoolState state() {
        return pool;
    }

    /** Otherwise a claim waits for a stopped process until the heartbeat expires. */
    private void forgetStopped() {
        List<String> stopped = pool.stopped();
        tasks.forget(stopped);
        pool = pool.forgotten(stopped);
    }

    /** An expired worker stays until its replacement is idle, even in a pool of one. */
    private int missing(PoolView view) {
        int wanted = pool.target() + (view.hasExpired() && pool.target() > 0 ? 1 : 0);
        return wanted - view.idle() - pool.starting().size();
    }

    private void fill(int missing) {
        if (pool.isBackingOff(WorkflowTasks.now())) {
            return;
        }
        Workflow.setCurrentDetails("Launches **%s** workers; launches for users go first".formatted(missing));
        List<Promise<String>> launches = new ArrayList<>();
        for (int i = 0; i < missing; i++) {
            launches.add(Async.function(launch::run, Workflow.randomUUID().toString()));
        }
        int started = 0;
        Optional<String> failed = Optional.empty();
        for (Promise<String> launched : launches) {
            try {
                String task = launched.get();
                if (task != null) {
                    pool = pool.started(task, WorkflowTasks.now());
                    started++;
                }
            } catch (ActivityFailure failure) {
                failed = Optional.of(reasonOf(failure));
            }
        }
        if (failed.isPresent()) {
            pool = pool.failed(failed.get(), WorkflowTasks.now());
        } else if (started < missing) {
            pool = pool.noCapacity(WorkflowTasks.now());
        } else if (missing == PoolPolicies.LAUNCHES_AT_ONCE) {
            // More workers may be missing than are started at once.
            pool = pool.due();
        }
    }

    /** Keeps a worker that was claimed meanwhile. */
    private void shrink(List<String> surplus) {
        boolean anyRetired = false;
        for (String task : surplus) {
            if (tasks.retire(task, "the pool is above its target")) {
                pool = pool.retired(task);
                anyRetired = true;
            }
        }
        pool = anyRetired ? pool.due() : pool.surplusKept();
    }

    /** The task hangs, or was claimed at once and serves a user. */
    private void retireOverdue(String taskArn) {
        if (tasks.retire(taskArn, "the worker did not become idle in time")) {
            pool = pool.stopped(
                    taskArn, "a worker did not become idle within " + PoolPolicies.START, WorkflowTasks.now());
        } else {
            pool = pool.idle(taskArn, WorkflowTasks.now());
        }
        pool = pool.due();
    }

    private void publish(PoolView view) {
        boolean needsAttention = pool.isShortage(WorkflowTasks.now());
        if (needsAttention != pool.attentionShown()) {
            pool = pool.withAttentionShown(needsAttention);
            Workflow.upsertTypedSearchAttributes(BerthSearchAttributes.ATTENTION.valueSet(needsAttention));
        }
        Workflow.setCurrentDetails(
                PoolDetails.of(pool, view, WorkflowTasks.now(), pool.nextCheck(WorkflowTasks.now())));
    }

    /** The id names the group. */
    private static UserGroup group() {
        String id = Workflow.getInfo().getWorkflowId();
        return PoolNames.groupOfWorkflow(id).orElse(UserGroup.DEFAULT);
    }

    private static String reasonOf(ActivityFailure failure) {
        Throwable cause = failure.getCause();
        String why = cause instanceof ApplicationFailure known ? known.getOriginalMessage() : String.valueOf(cause);
        return Objects.requireNonNullElse(why, "no reason given");
    }
}
