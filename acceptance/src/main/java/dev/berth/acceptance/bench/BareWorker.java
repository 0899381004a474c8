package dev.berth.acceptance.bench;

import dev.berth.temporal.TemporalConnection;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.worker.WorkerFactory;

/** The baseline's other process: it polls one queue, as a user's worker does. */
final class BareWorker {
    private BareWorker() {}

    static WorkflowClient connect(String target) {
        WorkflowServiceStubs stubs =
                WorkflowServiceStubs.newServiceStubs(TemporalConnection.stubs(WorkflowServiceStubsOptions.newBuilder())
                        .setTarget(target)
                        .build());
        return WorkflowClient.newInstance(
                stubs, WorkflowClientOptions.newBuilder().setNamespace("berth").build());
    }

    /** Runs until it is ended. */
    static void main(String[] arguments) throws InterruptedException {
        WorkerFactory factory = WorkerFactory.newInstance(connect(arguments[0]));
        factory.newWorker(
                        BareWorkflow.ACTIVITIES, TemporalConnection.userQueue(1).build())
                .registerActivitiesImplementations(new BareWorkflow.Clock());
        factory.start();
        Thread.currentThread().join();
    }
}
