package dev.berth.temporal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.BerthSearchAttributes;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.StreamObserver;
import io.temporal.api.enums.v1.IndexedValueType;
import io.temporal.api.operatorservice.v1.AddSearchAttributesRequest;
import io.temporal.api.operatorservice.v1.AddSearchAttributesResponse;
import io.temporal.api.operatorservice.v1.ListSearchAttributesRequest;
import io.temporal.api.operatorservice.v1.ListSearchAttributesResponse;
import io.temporal.api.operatorservice.v1.OperatorServiceGrpc;
import io.temporal.api.workflowservice.v1.CountWorkflowExecutionsRequest;
import io.temporal.api.workflowservice.v1.CountWorkflowExecutionsResponse;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc;
import io.temporal.common.SearchAttributeKey;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class NamespaceSearchAttributesTest {
    @Test
    void devServerGetsExactlyTheAttributesOfTheCode() throws Exception {
        Properties file = new Properties();
        try (InputStream in =
                Objects.requireNonNull(getClass().getResourceAsStream("/temporal/search-attributes.properties"))) {
            file.load(in);
        }
        Map<String, String> used = BerthSearchAttributes.ALL.stream()
                .collect(Collectors.toMap(SearchAttributeKey::getName, key -> nameOf(key.getValueType())));
        assertThat(file).containsExactlyInAnyOrderEntriesOf(used);
    }

    @Test
    @Tag("E8")
    @DisplayName("Missing attributes are added, existing ones stay")
    void addsMissingAttributes() throws Exception {
        SearchAttributeKey<?> known = BerthSearchAttributes.ALL.getFirst();
        try (Operator operator = new Operator()) {
            operator.existing.put(known.getName(), known.getValueType());
            operator.attributes.addMissing();
            assertThat(operator.queriesRefused)
                    .as("waits until the server accepts queries")
                    .hasValue(0);
            operator.attributes.addMissing();
            assertThat(operator.added)
                    .hasSize(BerthSearchAttributes.ALL.size() - 1)
                    .doesNotContain(known.getName());
            assertThat(operator.existing)
                    .containsEntry("BerthWorkerStateSince", IndexedValueType.INDEXED_VALUE_TYPE_DATETIME);
        }
    }

    @Test
    @Tag("E8")
    @DisplayName("A refused addition is tried again by the next call")
    void triesAgainAfterRefusal() throws Exception {
        try (Operator operator = new Operator()) {
            operator.refuses = true;
            operator.attributes.addMissing();
            assertThat(operator.added).isEmpty();
            operator.refuses = false;
            operator.attributes.addMissing();
            assertThat(operator.added).hasSameSizeAs(BerthSearchAttributes.ALL);
        }
    }

    /** An operator service, since the in-memory server does not list search attributes. */
    private static final class Operator extends OperatorServiceGrpc.OperatorServiceImplBase implements AutoCloseable {
        private final Map<String, IndexedValueType> existing = new ConcurrentHashMap<>();
        private final List<String> added = new CopyOnWriteArrayList<>();
        private volatile boolean refuses;
        /** How many queries fail until the server knows the added attributes. */
        private final AtomicInteger queriesRefused = new AtomicInteger(2);

        private final Server server;
        private final ManagedChannel channel;
        private final NamespaceSearchAttributes attributes;

        private Operator() throws IOException {
            String name = InProcessServerBuilder.generateName();
            server = InProcessServerBuilder.forName(name)
                    .addService(this)
                    .addService(new WorkflowServiceGrpc.WorkflowServiceImplBase() {
                        @Override
                        public void countWorkflowExecutions(
                                CountWorkflowExecutionsRequest request,
                                StreamObserver<CountWorkflowExecutionsResponse> response) {
                            if (queriesRefused.get() > 0) {
                                queriesRefused.decrementAndGet();
                                response.onError(Status.INVALID_ARGUMENT.asRuntimeException());
                                return;
                            }
                            response.onNext(CountWorkflowExecutionsResponse.getDefaultInstance());
                            response.onCompleted();
                        }
                    })
                    .build()
                    .start();
            channel = InProcessChannelBuilder.forName(name).build();
            attributes = new NamespaceSearchAttributes(channel, TemporalClients.NAMESPACE);
        }

        @Override
        public void listSearchAttributes(
                ListSearchAttributesRequest request, StreamObserver<ListSearchAttributesResponse> response) {
            response.onNext(ListSearchAttributesResponse.newBuilder()
                    .putAllCustomAttributes(existing)
                    .build());
            response.onCompleted();
        }

        @Override
        public void addSearchAttributes(
                AddSearchAttributesRequest request, StreamObserver<AddSearchAttributesResponse> response) {
            if (refuses) {
                response.onError(Status.PERMISSION_DENIED.asRuntimeException());
                return;
            }
            existing.putAll(request.getSearchAttributesMap());
            added.addAll(request.getSearchAttributesMap().keySet());
            response.onNext(AddSearchAttributesResponse.getDefaultInstance());
            response.onCompleted();
        }

        @Override
        public void close() {
            channel.shutdownNow();
            server.shutdownNow();
        }
    }

    private static String nameOf(IndexedValueType type) {
        return switch (type) {
            case INDEXED_VALUE_TYPE_KEYWORD -> "Keyword";
            case INDEXED_VALUE_TYPE_BOOL -> "Bool";
            case INDEXED_VALUE_TYPE_DATETIME -> "Datetime";
            default -> throw new IllegalArgumentException("no name for " + type);
        };
    }
}
