package dev.berth.acceptance.bench;

import dev.berth.temporal.TemporalClients;
import dev.berth.temporal.TemporalWorkers;
import io.temporal.client.WorkflowClient;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.worker.WorkerFactory;

/**
 * A user's worker process of the baseline, which polls one queue. Its arguments: Temporal's
 * address, the venue's, the user.
 */
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
        factory.newWorker(BareWorkflow.queueOf(arguments[2]), TemporalWorkers.userQueue(1))
                .registerActivitiesImplementations(new BareWorkflow.VenueOrders(arguments[1]));
        factory.start();
        Thread.currentThread().join();
    }
}
