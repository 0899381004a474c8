package dev.berth.workflows.retention;

import io.temporal.workflow.Workflow;

/** File after file: written first, deleted from PostgreSQL then. */
public final class ArchiveWorkflowImpl implements ArchiveWorkflow {
    private final OrderArchiving archive = Workflow.newActivityStub(OrderArchiving.class, ArchivePolicies.steps());

    @Override
    public void run() {
        for (int file = 0; file < ArchivePolicies.FILES_PER_RUN; file++) {
            Long number = archive.write();
            // A file of which nothing could be deleted must not lead to the same file again.
            if (number == null || archive.delete(number) == 0) {
                archive.forgetOrderIds();
                return;
            }
        }
        Workflow.continueAsNew();
    }
}
