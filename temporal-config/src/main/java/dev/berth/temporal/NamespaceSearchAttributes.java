package dev.berth.temporal;

import static java.util.concurrent.TimeUnit.SECONDS;

import dev.berth.workflows.BerthSearchAttributes;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.enums.v1.IndexedValueType;
import io.temporal.api.operatorservice.v1.AddSearchAttributesRequest;
import io.temporal.api.operatorservice.v1.ListSearchAttributesRequest;
import io.temporal.api.operatorservice.v1.OperatorServiceGrpc;
import io.temporal.api.operatorservice.v1.OperatorServiceGrpc.OperatorServiceBlockingStub;
import io.temporal.api.workflowservice.v1.CountWorkflowExecutionsRequest;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc;
import io.temporal.common.SearchAttributeKey;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds the search attributes of this version to the namespace, for example after an update or after
 * an older copy of Temporal's data was restored. Every process may do so at any time.
 */
public final class NamespaceSearchAttributes {
    /** The server caches a namespace's attributes for some seconds. */
    private static final Duration RETRY = Duration.ofMillis(500);

    private static final long CALL_SECONDS = 3;
    /** With Elasticsearch the server changes an index. */
    private static final long ADD_SECONDS = 20;

    private static final Logger LOG = LoggerFactory.getLogger(NamespaceSearchAttributes.class);

    private final Channel server;
    private final String namespace;

    public NamespaceSearchAttributes(Channel server, String namespace) {
        this.server = server;
        this.namespace = namespace;
    }

    /**
     * Adds what is missing, and waits until the server accepts queries for it. Logs an error when
     * the server refuses, as Temporal Cloud may; an operator has to add them then.
     */
    public void addMissing() throws InterruptedException {
        Map<String, IndexedValueType> existing = operator(CALL_SECONDS)
                .listSearchAttributes(ListSearchAttributesRequest.newBuilder()
                        .setNamespace(namespace)
                        .build())
                .getCustomAttributesMap();
        Map<String, IndexedValueType> missing = BerthSearchAttributes.ALL.stream()
                .filter(key -> !existing.containsKey(key.getName()))
                .collect(Collectors.toMap(SearchAttributeKey::getName, SearchAttributeKey::getValueType));
        if (!missing.isEmpty() && isAdded(missing)) {
            awaitQueryable(missing.keySet());
        }
    }

    private boolean isAdded(Map<String, IndexedValueType> missing) {
        try {
            operator(ADD_SECONDS)
                    .addSearchAttributes(AddSearchAttributesRequest.newBuilder()
                            .setNamespace(namespace)
                            .putAllSearchAttributes(missing)
                            .build());
            return true;
        } catch (StatusRuntimeException refused) {
            LOG.error(
                    "namespace {} lacks the search attributes {}, and the server refuses to add them ({});"
                            + " workflows wait until `temporal operator search-attribute create` adds them",
                    namespace,
                    missing,
                    refused.getMessage());
            return false;
        }
    }

    private void awaitQueryable(Set<String> names) throws InterruptedException {
        String query = names.stream().map(name -> name + " IS NULL").collect(Collectors.joining(" AND "));
        while (!isQueryable(query)) {
            Thread.sleep(RETRY);
        }
        LOG.info("namespace {} now has the search attributes {}", namespace, names);
    }

    private boolean isQueryable(String query) {
        try {
            WorkflowServiceGrpc.newBlockingStub(server)
                    .withDeadlineAfter(CALL_SECONDS, SECONDS)
                    .countWorkflowExecutions(CountWorkflowExecutionsRequest.newBuilder()
                            .setNamespace(namespace)
                            .setQuery(query)
                            .build());
            return true;
        } catch (StatusRuntimeException failed) {
            if (failed.getStatus().getCode() == Status.Code.INVALID_ARGUMENT) {
                return false;
            }
            throw failed;
        }
    }

    private OperatorServiceBlockingStub operator(long seconds) {
        return OperatorServiceGrpc.newBlockingStub(server).withDeadlineAfter(seconds, SECONDS);
    }
}
