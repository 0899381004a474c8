package dev.berth.api;

import static java.util.concurrent.TimeUnit.SECONDS;

import dev.berth.workflows.BerthSearchAttributes;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.enums.v1.IndexedValueType;
import io.temporal.api.operatorservice.v1.AddSearchAttributesRequest;
import io.temporal.api.operatorservice.v1.ListSearchAttributesRequest;
import io.temporal.api.operatorservice.v1.OperatorServiceGrpc;
import io.temporal.api.workflowservice.v1.CountWorkflowExecutionsRequest;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc;
import io.temporal.client.WorkflowClient;
import io.temporal.common.SearchAttributeKey;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.context.annotation.Conditional;
import org.springframework.stereotype.Component;

/**
 * Has the namespace know every search attribute that this version uses, such as after an update, or when an older copy of
 * Temporal's data came back; every replica may do so. Workers start when that is done, or could not be: a workflow task
 * that sets one which the server does not know fails, and is tried again.
 */
@Component
@Conditional(Roles.Orchestrator.class)
class SearchAttributes extends Periodic implements ApplicationRunner {
    private static final Duration EVERY = Duration.ofMinutes(1);
    /** A server keeps what it knows of a namespace for some seconds. */
    private static final Duration KNOWN_WITHIN = Duration.ofSeconds(30);

    private static final Duration ASK_AGAIN = Duration.ofMillis(500);
    private static final long ANSWER_SECONDS = 3;
    /** With Elasticsearch the server changes an index. */
    private static final long ADD_SECONDS = 20;

    private static final Logger LOG = LoggerFactory.getLogger(SearchAttributes.class);

    private final Channel server;
    private final String namespace;
    private final CountDownLatch looked = new CountDownLatch(1);

    @Autowired
    SearchAttributes(WorkflowClient temporal) {
        this(
                temporal.getWorkflowServiceStubs().getRawChannel(),
                temporal.getOptions().getNamespace());
    }

    SearchAttributes(Channel server, String namespace) {
        super("search-attributes", EVERY);
        this.server = server;
        this.namespace = namespace;
    }

    /** Before the workers start. */
    @Override
    public void run(ApplicationArguments arguments) throws InterruptedException {
        if (!looked.await(KNOWN_WITHIN.toSeconds(), SECONDS)) {
            LOG.warn(
                    "the search attributes of namespace {} are not sure, and the workers start in any case", namespace);
        }
    }

    @Override
    protected void round() throws InterruptedException {
        try {
            Map<String, IndexedValueType> there = operator(ANSWER_SECONDS)
                    .listSearchAttributes(ListSearchAttributesRequest.newBuilder()
                            .setNamespace(namespace)
                            .build())
                    .getCustomAttributesMap();
            Map<String, IndexedValueType> missing = BerthSearchAttributes.ALL.stream()
                    .filter(key -> !there.containsKey(key.getName()))
                    .collect(Collectors.toMap(SearchAttributeKey::getName, SearchAttributeKey::getValueType));
            if (!missing.isEmpty() && isAdded(missing)) {
                awaitKnown(missing.keySet());
            }
        } finally {
            looked.countDown();
        }
    }

    /** Temporal Cloud, and a server that checks who asks, may refuse. */
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
                    "namespace {} has no search attributes {}, without which no workflow goes on, and they can not be added"
                            + " ({}); add them with `temporal operator search-attribute create`",
                    namespace,
                    missing,
                    refused.getMessage());
            return false;
        }
    }

    private void awaitKnown(Set<String> names) throws InterruptedException {
        String query = names.stream().map(name -> name + " IS NULL").collect(Collectors.joining(" AND "));
        while (!isKnown(query)) {
            Thread.sleep(ASK_AGAIN);
        }
        LOG.info("namespace {} now has the search attributes {}", namespace, names);
    }

    private boolean isKnown(String query) {
        try {
            WorkflowServiceGrpc.newBlockingStub(server)
                    .withDeadlineAfter(ANSWER_SECONDS, SECONDS)
                    .countWorkflowExecutions(CountWorkflowExecutionsRequest.newBuilder()
                            .setNamespace(namespace)
                            .setQuery(query)
                            .build());
            return true;
        } catch (StatusRuntimeException unknown) {
            if (unknown.getStatus().getCode() == Status.Code.INVALID_ARGUMENT) {
                return false;
            }
            throw unknown;
        }
    }

    private OperatorServiceGrpc.OperatorServiceBlockingStub operator(long seconds) {
        return OperatorServiceGrpc.newBlockingStub(server).withDeadlineAfter(seconds, SECONDS);
    }
}
