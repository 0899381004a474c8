package dev.berth.temporal.replay;

import com.google.protobuf.util.JsonFormat;
import dev.berth.temporal.TemporalClients;
import dev.berth.temporal.codec.DerivedPayloadKeys;
import dev.berth.temporal.codec.FileMasterKeys;
import dev.berth.temporal.codec.MessageCodec;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.history.v1.History;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.common.WorkflowExecutionHistory;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;

/** A history as Temporal, or a file, has it. */
final class RecordedHistory {
    private static final String TARGET = "BERTH_TEMPORAL_TARGET";

    private static final String KEY_FILE = "BERTH_CODEC_KEY_FILE";

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
            return Optional.of(decoded(new WorkflowExecutionHistory(events.build(), options.workflowId())));
        }
        WorkflowServiceStubs stubs = WorkflowServiceStubs.newServiceStubs(
                TemporalClients.stubs(System.getenv().getOrDefault(TARGET, "127.0.0.1:7233"))
                        .build());
        try {
            WorkflowClient temporal = WorkflowClient.newInstance(
                    stubs,
                    TemporalClients.workflows(TemporalClients.NAMESPACE, TemporalClients.DATA_CONVERTER)
                            .build());
            return Optional.of(decoded(temporal.fetchHistory(options.workflowId(), options.run())));
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

    /** With the key file, if this machine has one; without it only plain histories can be read. */
    private static WorkflowExecutionHistory decoded(WorkflowExecutionHistory stored) {
        String file = System.getenv(KEY_FILE);
        if (file == null) {
            return stored;
        }
        DerivedPayloadKeys keys = new DerivedPayloadKeys(new FileMasterKeys(Path.of(file), InstantSource.system()));
        return new WorkflowExecutionHistory(
                new MessageCodec(keys).decode(stored.getHistory()),
                stored.getWorkflowExecution().getWorkflowId());
    }
}
