package dev.berth.acceptance.verify;

import com.google.protobuf.ByteString;
import dev.berth.acceptance.Stack;
import io.grpc.StatusRuntimeException;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.workflow.v1.WorkflowExecutionInfo;
import io.temporal.api.workflowservice.v1.GetWorkflowExecutionHistoryRequest;
import io.temporal.api.workflowservice.v1.GetWorkflowExecutionHistoryResponse;
import io.temporal.api.workflowservice.v1.ListWorkflowExecutionsRequest;
import io.temporal.api.workflowservice.v1.ListWorkflowExecutionsResponse;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Order workflows as Temporal has them. */
final class Histories implements AutoCloseable {
    private static final String NAMESPACE = "berth";
    private static final int PAGE = 1000;

    private final String target;
    private final WorkflowServiceStubs stubs;
    private final WorkflowServiceGrpc.WorkflowServiceBlockingStub temporal;

    private Histories(String target) {
        this.target = target;
        this.stubs = WorkflowServiceStubs.newServiceStubs(
                WorkflowServiceStubsOptions.newBuilder().setTarget(target).build());
        this.temporal = stubs.blockingStub();
    }

    static Histories of(Stack stack) {
        return new Histories("127.0.0.1:" + stack.port("TEMPORAL", 7233));
    }

    /**
     * All of them that the index shows.
     *
     * @param wanted whose histories are read; of the others no steps are known
     * @throws IOException when Temporal does not answer
     */
    Map<OrderId, OrderWorkflow> orders(Predicate<OrderId> wanted) throws IOException {
        try {
            Map<OrderId, List<WorkflowExecutionInfo>> runs = new HashMap<>();
            for (WorkflowExecutionInfo run : runs()) {
                String[] id = run.getExecution().getWorkflowId().split(":", 3);
                if (id.length == 3) {
                    runs.computeIfAbsent(new OrderId(id[1], id[2]), _ -> new ArrayList<>())
                            .add(run);
                }
            }
            Map<OrderId, OrderWorkflow> orders = new HashMap<>();
            runs.forEach((id, all) -> orders.put(id, order(id, all, wanted.test(id))));
            return orders;
        } catch (StatusRuntimeException away) {
            throw new IOException("Temporal at " + target + ": " + away.getMessage(), away);
        }
    }

    private List<WorkflowExecutionInfo> runs() {
        List<WorkflowExecutionInfo> all = new ArrayList<>();
        ByteString token = ByteString.EMPTY;
        do {
            ListWorkflowExecutionsResponse page =
                    temporal.listWorkflowExecutions(ListWorkflowExecutionsRequest.newBuilder()
                            .setNamespace(NAMESPACE)
                            .setQuery("WorkflowType = 'Order'")
                            .setPageSize(PAGE)
                            .setNextPageToken(token)
                            .build());
            all.addAll(page.getExecutionsList());
            token = page.getNextPageToken();
        } while (!token.isEmpty());
        return all;
    }

    private OrderWorkflow order(OrderId id, Collection<WorkflowExecutionInfo> runs, boolean withSteps) {
        List<WorkflowExecutionInfo> byAge = runs.stream()
                .sorted(Comparator.comparingLong(run -> run.getStartTime().getSeconds() * 1_000_000_000L
                        + run.getStartTime().getNanos()))
                .toList();
        WorkflowExecutionInfo newest = byAge.getLast();
        List<OrderWorkflow.Step> steps = new ArrayList<>();
        if (withSteps) {
            byAge.forEach(run -> steps.addAll(HistorySteps.of(events(run.getExecution()))));
        }
        return new OrderWorkflow(
                id,
                HistorySteps.text(
                        newest.getSearchAttributes().getIndexedFieldsMap().get("BerthOrderStatus")),
                newest.getStatus().name().replace("WORKFLOW_EXECUTION_STATUS_", ""),
                steps);
    }

    private List<HistoryEvent> events(WorkflowExecution run) {
        List<HistoryEvent> all = new ArrayList<>();
        ByteString token = ByteString.EMPTY;
        do {
            GetWorkflowExecutionHistoryResponse page =
                    temporal.getWorkflowExecutionHistory(GetWorkflowExecutionHistoryRequest.newBuilder()
                            .setNamespace(NAMESPACE)
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
