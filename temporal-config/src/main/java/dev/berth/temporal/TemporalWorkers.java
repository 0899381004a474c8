package dev.berth.temporal;

import dev.berth.workflows.untrusted.UntrustedInputInterceptor;
import io.temporal.common.interceptors.WorkerInterceptor;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerOptions;
import java.time.Duration;
import java.util.stream.Stream;

/** Worker options that every process shares. */
public final class TemporalWorkers {
    private TemporalWorkers() {}

    /** The options of a process that runs activities alone. */
    public static WorkerFactoryOptions factory() {
        return WorkerFactoryOptions.newBuilder()
                .setUsingVirtualWorkflowThreads(true)
                .build();
    }

    /**
     * The options of every process that runs or replays workflows: all need the same {@link
     * UntrustedInputInterceptor}. Workflow threads block a lot and compute little.
     *
     * @param further interceptors, called after that one
     */
    public static WorkerFactoryOptions.Builder workflows(
            WorkerFactoryOptions.Builder options,
            UntrustedInputInterceptor.Listener listener,
            WorkerInterceptor... further) {
        WorkerInterceptor[] all = Stream.concat(Stream.of(new UntrustedInputInterceptor(listener)), Stream.of(further))
                .toArray(WorkerInterceptor[]::new);
        return options.setUsingVirtualWorkflowThreads(true).setWorkerInterceptors(all);
    }

    /**
     * A queue of one user: one poller, so that 100,000 users need few, and fixed slots.
     *
     * @param slots how many activities run at once; 0 = no limit
     * @throws IllegalArgumentException when slots are negative
     */
    public static WorkerOptions userQueue(int slots) {
        if (slots < 0) {
            throw new IllegalArgumentException("slots must be 0 (no limit) or more, not " + slots);
        }
        return WorkerOptions.newBuilder()
                // Left at 0, the SDK would take its default of 200.
                .setMaxConcurrentActivityExecutionSize(slots == 0 ? Integer.MAX_VALUE : slots)
                .setMaxConcurrentActivityTaskPollers(1)
                .setUsingVirtualThreadsOnActivityWorker(true)
                // With a heartbeat timeout of 3 s the default sends a heartbeat only every 2.4 s:
                // one late heartbeat would time the activity out.
                .setMaxHeartbeatThrottleInterval(Duration.ofSeconds(1))
                .setAllowActivityHeartbeatDuringShutdown(true)
                .build();
    }
}
