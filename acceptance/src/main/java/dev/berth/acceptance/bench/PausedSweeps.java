package dev.berth.acceptance.bench;

import dev.berth.acceptance.stack.Stack;
import io.temporal.client.WorkflowClient;
import io.temporal.client.schedules.ScheduleClient;
import io.temporal.client.schedules.ScheduleClientOptions;
import io.temporal.client.schedules.ScheduleHandle;

/** Pauses the schedule of sweeps until it is closed; manual sweeps still run. */
final class PausedSweeps implements AutoCloseable {
    private final WorkflowClient temporal;
    private final ScheduleHandle schedule;

    PausedSweeps(Stack stack, String why) {
        temporal = BareWorker.connect("127.0.0.1:" + stack.port("TEMPORAL", 7233));
        schedule = ScheduleClient.newInstance(
                        temporal.getWorkflowServiceStubs(),
                        ScheduleClientOptions.newBuilder()
                                .setNamespace(temporal.getOptions().getNamespace())
                                .build())
                .getHandle("maintenance");
        schedule.pause(why);
    }

    @Override
    public void close() {
        schedule.unpause();
        temporal.getWorkflowServiceStubs().shutdownNow();
    }
}
