package dev.berth.acceptance.bench;

import dev.berth.temporal.TemporalClients;
import dev.berth.temporal.TemporalWorkers;
import io.temporal.client.WorkflowClient;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.worker.WorkerFactory;

/** The worker process of the baseline. Like a user's worker, it polls one queue. */
final class BareWorker {
    private BareWorker() {}

    static WorkflowClient connect(String target) {
        WorkflowServiceStubs stubs = WorkflowServiceStubs.newServiceStubs(
                TemporalClients.stubs(target).build());
        return WorkflowClient.newInstance(
                stubs,
                TemporalClients.workflows(TemporalClients.NAMESPACE, TemporalClients.DATA_CONVERTER)
                        .build());
    }

    static void main(String[] arguments) throws InterruptedException {
        WorkerFactory factory = WorkerFactory.newInstance(connect(arguments[0]));
        factory.newWorker(BareWorkflow.ACTIVITIES, TemporalWorkers.userQueue(1))
                .registerActivitiesImplementations(new BareWorkflow.WallClock());
        factory.start();
        Thread.currentThread().join();
    }
}
