package dev.berth.api;

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
import org.junit.jupiter.api.Test;

class SearchAttributesTest {
    @Test
    void theServerIsToldExactlyThoseThatTheCodeUses() throws Exception {
        Properties file = new Properties();
        try (InputStream in =
                Objects.requireNonNull(getClass().getResourceAsStream("/temporal/search-attributes.properties"))) {
            file.load(in);
        }
        Map<String, String> used = BerthSearchAttributes.ALL.stream()
                .collect(Collectors.toMap(SearchAttributeKey::getName, key -> word(key.getValueType())));
        assertThat(file).containsExactlyInAnyOrderEntriesOf(used);
    }

    @Test
    @DisplayName("E8 a namespace that lacks some, such as after an update, is given those, and keeps what it has")
    void missing() throws Exception {
        SearchAttributeKey<?> known = BerthSearchAttributes.ALL.getFirst();
        try (Operator operator = new Operator()) {
            operator.there.put(known.getName(), known.getValueType());
            operator.attributes.round();
            assertThat(operator.unknown)
                    .as("it is waited until the server uses them")
                    .hasValue(0);
            operator.attributes.round();
            assertThat(operator.added)
                    .hasSize(BerthSearchAttributes.ALL.size() - 1)
                    .doesNotContain(known.getName());
            assertThat(operator.there)
                    .containsEntry("BerthWorkerStateSince", IndexedValueType.INDEXED_VALUE_TYPE_DATETIME);
        }
    }

    @Test
    @DisplayName("E8 a server that may not be given any is looked at again: an operator adds them")
    void refused() throws Exception {
        try (Operator operator = new Operator()) {
            operator.refuses = true;
            operator.attributes.round();
            assertThat(operator.added).isEmpty();
            operator.refuses = false;
            operator.attributes.round();
            assertThat(operator.added).hasSameSizeAs(BerthSearchAttributes.ALL);
        }
    }

    /** A server that knows namespaces' search attributes and nothing else; the in-memory one does not list them. */
    private static final class Operator extends OperatorServiceGrpc.OperatorServiceImplBase implements AutoCloseable {
        private final Map<String, IndexedValueType> there = new ConcurrentHashMap<>();
        private final List<String> added = new CopyOnWriteArrayList<>();
        private volatile boolean refuses;
        /** How many queries it does not understand yet, once it was given some. */
        private final AtomicInteger unknown = new AtomicInteger(2);

        private final Server server;
        private final ManagedChannel channel;
        private final SearchAttributes attributes;

        private Operator() throws IOException {
            String name = InProcessServerBuilder.generateName();
            server = InProcessServerBuilder.forName(name)
                    .addService(this)
                    .addService(new WorkflowServiceGrpc.WorkflowServiceImplBase() {
                        @Override
                        public void countWorkflowExecutions(
                                CountWorkflowExecutionsRequest asked,
                                StreamObserver<CountWorkflowExecutionsResponse> answer) {
                            if (unknown.get() > 0) {
                                unknown.decrementAndGet();
                                answer.onError(Status.INVALID_ARGUMENT.asRuntimeException());
                                return;
                            }
                            answer.onNext(CountWorkflowExecutionsResponse.getDefaultInstance());
                            answer.onCompleted();
                        }
                    })
                    .build()
                    .start();
            channel = InProcessChannelBuilder.forName(name).build();
            attributes = new SearchAttributes(channel, "berth");
        }

        @Override
        public void listSearchAttributes(
                ListSearchAttributesRequest asked, StreamObserver<ListSearchAttributesResponse> answer) {
            answer.onNext(ListSearchAttributesResponse.newBuilder()
                    .putAllCustomAttributes(there)
                    .build());
            answer.onCompleted();
        }

        @Override
        public void addSearchAttributes(
                AddSearchAttributesRequest asked, StreamObserver<AddSearchAttributesResponse> answer) {
            if (refuses) {
                answer.onError(Status.PERMISSION_DENIED.asRuntimeException());
                return;
            }
            there.putAll(asked.getSearchAttributesMap());
            added.addAll(asked.getSearchAttributesMap().keySet());
            answer.onNext(AddSearchAttributesResponse.getDefaultInstance());
            answer.onCompleted();
        }

        @Override
        public void close() {
            channel.shutdownNow();
            server.shutdownNow();
        }
    }

    private static String word(IndexedValueType type) {
        return switch (type) {
            case INDEXED_VALUE_TYPE_KEYWORD -> "Keyword";
            case INDEXED_VALUE_TYPE_BOOL -> "Bool";
            case INDEXED_VALUE_TYPE_DATETIME -> "Datetime";
            default -> throw new IllegalArgumentException("name the word for " + type);
        };
    }
}
