package dev.berth.workflows.pool;

import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.WorkflowIds;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionRequest;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowStub;
import java.time.Duration;
import org.awaitility.Awaitility;

/** The pool's workflow, and a fake ECS. */
final class PoolFixture implements AutoCloseable {
    static final Duration LIFETIME = Duration.ofHours(12);

    final InMemoryServer server;
    final FakePoolTasks tasks = new FakePoolTasks();

    PoolFixture() {
        this(new InMemoryServer());
    }

    PoolFixture(InMemoryServer server) {
        this.server = server;
    }

    PoolWorkflow begin(int target) {
        return begin(new PoolSize(0, target, LIFETIME));
    }

    PoolWorkflow begin(PoolSize size) {
        return begin(UserGroup.DEFAULT, size);
    }

    PoolWorkflow begin(UserGroup group, PoolSize size) {
        server.worker(TaskQueues.FLEET).registerWorkflowImplementationTypes(PoolWorkflowImpl.class);
        server.worker(TaskQueues.FLEET).registerActivitiesImplementations(tasks);
        server.worker(TaskQueues.LAUNCH).registerActivitiesImplementations(tasks);
        server.start();
        PoolWorkflow pool = server.workflow(PoolWorkflow.class, PoolNames.workflowId(group), TaskQueues.FLEET);
        WorkflowClient.start(pool::run, PoolState.of(size));
        return pool;
    }

    void awaitLaunches(int count) {
        Awaitility.await().until(() -> tasks.launches.size() == count);
    }

    void awaitChecks(int count) {
        Awaitility.await().until(() -> tasks.checks.get() >= count);
    }

    /** Returns when the pool has checked itself once more, after all earlier signals. */
    void awaitNextCheck(PoolWorkflow pool) {
        int before = tasks.checks.get();
        pool.refill();
        awaitChecks(before + 1);
    }

    /** The id of the pool's present run. */
    String run() {
        return server.client()
                .newUntypedWorkflowStub(WorkflowIds.POOL)
                .describe()
                .getExecution()
                .getRunId();
    }

    boolean needsAttention() {
        var described = server.client()
                .getWorkflowServiceStubs()
                .blockingStub()
                .describeWorkflowExecution(DescribeWorkflowExecutionRequest.newBuilder()
                        .setNamespace(server.client().getOptions().getNamespace())
                        .setExecution(WorkflowStub.fromTyped(
                                        server.client().newWorkflowStub(PoolWorkflow.class, WorkflowIds.POOL))
                                .getExecution())
                        .build());
        var attention = described
                .getWorkflowExecutionInfo()
                .getSearchAttributes()
                .getIndexedFieldsMap()
                .get("BerthAttention");
        return attention != null && attention.getData().toStringUtf8().equals("true");
    }

    @Override
    public void close() {
        server.close();
    }
}
