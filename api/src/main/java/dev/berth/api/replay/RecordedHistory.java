package dev.berth.api.replay;

import com.google.protobuf.util.JsonFormat;
import dev.berth.temporal.TemporalClients;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.history.v1.History;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.common.WorkflowExecutionHistory;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;

/** A history as Temporal, or a file, has it. */
final class RecordedHistory {
    private static final String TARGET = "BERTH_TEMPORAL_TARGET";

    private RecordedHistory() {}

    /**
     * Reads it.
     *
     * @return empty when Temporal knows no such workflow, or no longer
     * @throws IOException when the file cannot be read
     * @throws StatusRuntimeException when Temporal does not answer
     */
    static Optional<WorkflowExecutionHistory> find(ReplayOptions options) throws IOException {
        if (options.file() != null) {
            History.Builder events = History.newBuilder();
            JsonFormat.parser().ignoringUnknownFields().merge(Files.readString(options.file()), events);
            return Optional.of(new WorkflowExecutionHistory(events.build(), options.workflowId()));
        }
        WorkflowServiceStubs stubs = WorkflowServiceStubs.newServiceStubs(
                TemporalClients.stubs(System.getenv().getOrDefault(TARGET, "127.0.0.1:7233"))
                        .build());
        try {
            WorkflowClient temporal = WorkflowClient.newInstance(
                    stubs, TemporalClients.workflows(TemporalClients.NAMESPACE, TemporalClients.DATA_CONVERTER).build());
            return Optional.of(temporal.fetchHistory(options.workflowId(), options.run()));
        } catch (WorkflowNotFoundException none) {
            return Optional.empty();
        } catch (StatusRuntimeException failed) {
            if (failed.getStatus().getCode() == Status.Code.NOT_FOUND
                    || failed.getStatus().getCode() == Status.Code.INVALID_ARGUMENT) {
                return Optional.empty();
            }
            throw failed;
        } finally {
            stubs.shutdownNow();
        }
    }
}
