package dev.berth.acceptance.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temporal.api.batch.v1.BatchOperationTermination;
import io.temporal.api.workflowservice.v1.CountWorkflowExecutionsRequest;
import io.temporal.api.workflowservice.v1.StartBatchOperationRequest;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.common.SearchAttributeKey;
import io.temporal.common.SearchAttributes;
import io.temporal.worker.WorkerFactory;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/** Stub lifecycles and orders of phantom users, and the worker that runs them. */
final class StubWorkflows implements AutoCloseable {
    /** More parallel starts do not help the server. */
    private static final int PARALLEL_STARTS = 64;
    /**
     * Delays a lifecycle without queries: it is listed in visibility and costs no workflow task.
     */
    private static final Duration START_DELAY = Duration.ofDays(1);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(200);
    private static final SearchAttributeKey<String> STATE = SearchAttributeKey.forKeyword("BerthWorkerState");
    private static final SearchAttributeKey<String> ORDER_STATUS = SearchAttributeKey.forKeyword("BerthOrderStatus");
    /** Includes the workflows that the sweep started. */
    private static final String ALL =
            "ExecutionStatus = 'Running' AND (WorkflowType = 'WorkerLifecycle' OR WorkflowType = 'Order')";

    private final WorkflowClient temporal;
    private final WorkerFactory factory;
    private final ObjectMapper json = new ObjectMapper();
    private final Semaphore permits = new Semaphore(PARALLEL_STARTS);
    private final List<Future<?>> starts = new ArrayList<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    StubWorkflows(WorkflowClient temporal) {
        this.temporal = temporal;
        this.factory = WorkerFactory.newInstance(temporal);
        factory.newWorker(StubWorkflow.QUEUE)
                .registerWorkflowImplementationTypes(StubWorkflow.class, DriftSearch.FindDriftOnce.class);
        factory.start();
    }

    /** A lifecycle that is listed as {@code ACTIVE} and never queried. */
    void listed(String user) {
        start("WorkerLifecycle", lifecycleOf(user).setStartDelay(START_DELAY), active(user, "none"));
    }

    /** An active lifecycle with this task. */
    void active(String user, String task, String arn) {
        start("WorkerLifecycle", lifecycleOf(user), active(user, arn + task));
    }

    /** A lifecycle whose worker ended. */
    void terminated(String user) {
        String state = lifecycle(user, "{\"state\":\"TERMINATED\",\"since\":\"2026-01-05T14:30:00Z\",\"reason\":null}");
        WorkflowOptions.Builder options = lifecycleOf(user)
                .setTypedSearchAttributes(
                        SearchAttributes.newBuilder().set(STATE, "TERMINATED").build());
        start("WorkerLifecycle", options, state);
    }

    /** An order that waits for its worker. */
    void order(String user) {
        String state = """
                {"request":{"userId":"%s","clientOrderId":"o","account":{"broker":"alpaca","market":"equity",
                "environment":"paper","accountId":"paper"},"symbol":"AAPL","side":"buy","type":"market",
                "quantity":"1","limitPrice":null,"stopPrice":null,"timeInForce":"day","priority":3,
                "dispatchWithin":"PT2M","submittedAt":"2026-01-05T14:30:00Z"},"status":"PENDING",
                "venueStatus":null,"reason":null,"filledQuantity":"0","averagePrice":null,"venueOrderId":null,
                "dispatchedAt":null,"acknowledgedAt":null,"finalAt":null,"attempts":0,"workerEpoch":0,"versions":[],
                "replaces":0,"revision":1,"changedAt":"2026-01-05T14:30:00Z"}""".formatted(user);
        WorkflowOptions.Builder options = options("order:" + user + ":o")
                .setTypedSearchAttributes(SearchAttributes.newBuilder()
                        .set(ORDER_STATUS, "PENDING")
                        .build());
        start("Order", options, state);
    }

    private static WorkflowOptions.Builder lifecycleOf(String user) {
        return options("worker:" + user)
                .setTypedSearchAttributes(
                        SearchAttributes.newBuilder().set(STATE, "ACTIVE").build());
    }

    private static WorkflowOptions.Builder options(String id) {
        return WorkflowOptions.newBuilder().setTaskQueue(StubWorkflow.QUEUE).setWorkflowId(id);
    }

    private static String active(String user, String arn) {
        return lifecycle(user, """
                {"state":"ACTIVE","since":"2026-01-05T14:30:00Z","worker":{"process":{"epoch":1,"taskArn":"%s",
                "host":"phantom","pid":1,"publicKey":"a2V5"},"origin":"ADOPTED","sessions":[]},"reason":null}""".formatted(arn));
    }

    private static String lifecycle(String user, String status) {
        return """
                {"userId":"%s","desired":{"running":true,"reason":null,"suspension":null,
                "fleet":{"version":0,"suspended":false,"reason":null}},"status":%s,"epoch":1,"raised":1,
                "accounts":[],"unconfirmedStops":[],"recentDeaths":[],"deaths":0,"requestedAt":null}""".formatted(user, status);
    }

    private void start(String type, WorkflowOptions.Builder options, String state) {
        starts.add(threads.submit(() -> {
            permits.acquire();
            try {
                JsonNode argument = json.readTree(state);
                return temporal.newUntypedWorkflowStub(type, options.build()).start(argument);
            } finally {
                permits.release();
            }
        }));
    }

    /** Waits until all workflows have started and visibility lists them. */
    void await() throws ExecutionException, InterruptedException {
        for (Future<?> start : starts) {
            start.get();
        }
        while (listed() < starts.size()) {
            Thread.sleep(POLL_INTERVAL);
        }
        starts.clear();
    }

    /** Terminates all lifecycles and orders of the stack and waits for visibility. */
    void terminateAll() throws IOException, InterruptedException {
        temporal.getWorkflowServiceStubs()
                .blockingStub()
                .startBatchOperation(StartBatchOperationRequest.newBuilder()
                        .setNamespace(temporal.getOptions().getNamespace())
                        .setJobId(UUID.randomUUID().toString())
                        .setReason("the next size is measured")
                        .setVisibilityQuery(ALL)
                        .setTerminationOperation(
                                BatchOperationTermination.newBuilder().setIdentity("bench"))
                        .build());
        while (listed() > 0) {
            Thread.sleep(POLL_INTERVAL);
        }
    }

    private long listed() {
        return temporal.getWorkflowServiceStubs()
                .blockingStub()
                .countWorkflowExecutions(CountWorkflowExecutionsRequest.newBuilder()
                        .setNamespace(temporal.getOptions().getNamespace())
                        .setQuery(ALL)
                        .build())
                .getCount();
    }

    @Override
    public void close() {
        threads.close();
        factory.shutdownNow();
    }
}
