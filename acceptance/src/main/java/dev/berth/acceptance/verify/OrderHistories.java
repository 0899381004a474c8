package dev.berth.acceptance.verify;

import com.google.protobuf.ByteString;
import dev.berth.acceptance.stack.Stack;
import dev.berth.temporal.TemporalClients;
import dev.berth.temporal.codec.MessageCodec;
import dev.berth.temporal.codec.PayloadKeys;
import io.grpc.StatusRuntimeException;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.history.v1.History;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.workflow.v1.WorkflowExecutionInfo;
import io.temporal.api.workflowservice.v1.GetWorkflowExecutionHistoryRequest;
import io.temporal.api.workflowservice.v1.GetWorkflowExecutionHistoryResponse;
import io.temporal.api.workflowservice.v1.ListWorkflowExecutionsRequest;
import io.temporal.api.workflowservice.v1.ListWorkflowExecutionsResponse;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Reads order workflows from Temporal. */
final class OrderHistories implements AutoCloseable {
    private static final int PAGE = 1000;

    private final String target;
    private final MessageCodec codec;
    private final WorkflowServiceStubs stubs;
    private final WorkflowServiceGrpc.WorkflowServiceBlockingStub temporal;

    private OrderHistories(String target, PayloadKeys keys) {
        this.target = target;
        this.codec = new MessageCodec(keys);
        this.stubs = WorkflowServiceStubs.newServiceStubs(
                TemporalClients.stubs(target).build());
        this.temporal = stubs.blockingStub();
    }

    static OrderHistories of(Stack stack) {
        return new OrderHistories("127.0.0.1:" + stack.port("TEMPORAL", 7233), stack.payloadKeys());
    }

    /**
     * Reads all orders that visibility lists.
     *
     * @param wanted the orders whose histories are read
     * @throws IOException when Temporal does not answer
     */
    Map<OrderReference, OrderHistory> orders(Predicate<OrderReference> wanted) throws IOException {
        try {
            Map<OrderReference, List<WorkflowExecutionInfo>> runs = new HashMap<>();
            for (WorkflowExecutionInfo run : runs("WorkflowType = 'Order'")) {
                String[] id = run.getExecution().getWorkflowId().split(":", 3);
                if (id.length == 3) {
                    runs.computeIfAbsent(new OrderReference(id[1], id[2]), _ -> new ArrayList<>())
                            .add(run);
                }
            }
            Map<OrderReference, OrderHistory> orders = new HashMap<>();
            runs.forEach((id, all) -> orders.put(id, order(id, all, wanted.test(id))));
            return orders;
        } catch (StatusRuntimeException unavailable) {
            throw unavailable(unavailable);
        }
    }

    /**
     * The users whose activities a task took, by the lifecycles of these users.
     *
     * @throws IOException when Temporal does not answer
     */
    Map<String, Set<String>> usersByTask(Set<String> users) throws IOException {
        try {
            Map<String, Set<String>> byTask = new HashMap<>();
            for (WorkflowExecutionInfo run : runs("WorkflowType = 'WorkerLifecycle'")) {
                String user = run.getExecution().getWorkflowId().substring("worker:".length());
                if (users.contains(user)) {
                    ActivityResults.tasks(rawEvents(run.getExecution()), user)
                            .forEach(task -> byTask.computeIfAbsent(task, _ -> new HashSet<>())
                                    .add(user));
                }
            }
            return byTask;
        } catch (StatusRuntimeException unavailable) {
            throw unavailable(unavailable);
        }
    }

    private IOException unavailable(StatusRuntimeException unavailable) {
        return new IOException("Temporal at " + target + ": " + unavailable.getMessage(), unavailable);
    }

    private List<WorkflowExecutionInfo> runs(String query) {
        List<WorkflowExecutionInfo> all = new ArrayList<>();
        ByteString token = ByteString.EMPTY;
        do {
            ListWorkflowExecutionsResponse page =
                    temporal.listWorkflowExecutions(ListWorkflowExecutionsRequest.newBuilder()
                            .setNamespace(TemporalClients.NAMESPACE)
                            .setQuery(query)
                            .setPageSize(PAGE)
                            .setNextPageToken(token)
                            .build());
            all.addAll(page.getExecutionsList());
            token = page.getNextPageToken();
        } while (!token.isEmpty());
        return all;
    }

    private OrderHistory order(OrderReference id, Collection<WorkflowExecutionInfo> runs, boolean withHistory) {
        List<WorkflowExecutionInfo> oldestFirst = runs.stream()
                .sorted(Comparator.comparingLong(run -> run.getStartTime().getSeconds() * 1_000_000_000L
                        + run.getStartTime().getNanos()))
                .toList();
        WorkflowExecutionInfo newest = oldestFirst.getLast();
        List<OrderHistory.ActivityResult> results = new ArrayList<>();
        if (withHistory) {
            oldestFirst.forEach(run -> results.addAll(ActivityResults.of(events(run.getExecution()))));
        }
        return new OrderHistory(
                id,
                ActivityResults.text(
                        newest.getSearchAttributes().getIndexedFieldsMap().get("BerthOrderStatus")),
                newest.getStatus().name().replace("WORKFLOW_EXECUTION_STATUS_", ""),
                results);
    }

    private List<HistoryEvent> events(WorkflowExecution run) {
        History encoded = History.newBuilder().addAllEvents(rawEvents(run)).build();
        return codec.decode(encoded).getEventsList();
    }

    private List<HistoryEvent> rawEvents(WorkflowExecution run) {
        List<HistoryEvent> all = new ArrayList<>();
        ByteString token = ByteString.EMPTY;
        do {
            GetWorkflowExecutionHistoryResponse page =
                    temporal.getWorkflowExecutionHistory(GetWorkflowExecutionHistoryRequest.newBuilder()
                            .setNamespace(TemporalClients.NAMESPACE)
                            .setExecution(run)
                            .setNextPageToken(token)
                            .build());
            all.addAll(page.getHistory().getEventsList());
            token = page.getNextPageToken();
        } while (!token.isEmpty());
        return all;
    }

    @Override
    public void close() {
        stubs.shutdownNow();
    }
}
