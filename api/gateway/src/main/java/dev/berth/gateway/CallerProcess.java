package dev.berth.gateway;

import dev.berth.workflows.PlainText;
import dev.berth.workflows.worker.WorkerProcess;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The process that calls, as its lifecycle may believe it. */
final class CallerProcess {
    private static final int LONGEST_HOST = 256;

    private CallerProcess() {}

    /**
     * Epoch, task and key are the caller's own; only host and process id are as it says.
     *
     * @return empty when the task enrolled without a sealing key
     * @throws IllegalArgumentException when the host is missing or too long
     */
    static Optional<WorkerProcess> of(Caller caller, @Nullable String host, long pid) {
        if (host == null || host.length() > LONGEST_HOST) {
            throw new IllegalArgumentException("the host is missing or too long");
        }
        return Optional.ofNullable(caller.task().sealingKey())
                .map(key -> new WorkerProcess(
                        caller.serving().epoch(), caller.task().taskArn(), PlainText.line(host), pid, key));
    }
}
