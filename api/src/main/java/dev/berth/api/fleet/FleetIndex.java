package dev.berth.api.fleet;

import static dev.berth.activities.RunningWorkflows.LIFECYCLES;
import static dev.berth.activities.RunningWorkflows.OPEN_ORDERS;

import com.google.protobuf.ByteString;
import dev.berth.activities.RunningWorkflows;
import dev.berth.api.Problem;
import dev.berth.api.fleet.Explanation.OpenOrder;
import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.worker.WorkerPhase;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.workflowservice.v1.ListWorkflowExecutionsResponse;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowExecutionMetadata;
import io.temporal.common.SearchAttributeKey;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The fleet as Temporal's index of workflows knows it: one call for any number of them, and a moment late. */
@Component
class FleetIndex {
    private static final String CRASH_LOOPING =
            LIFECYCLES + " AND " + BerthSearchAttributes.ATTENTION.getName() + " = true";

    /** What the server says to a token that is none; it has no one word for it. */
    private static final Set<Status.Code> NOT_UNDERSTOOD =
            Set.of(Status.Code.INVALID_ARGUMENT, Status.Code.UNKNOWN, Status.Code.INTERNAL);

    private final WorkflowClient temporal;
    private final RunningWorkflows workflows;

    FleetIndex(WorkflowClient temporal) {
        this.temporal = temporal;
        this.workflows = new RunningWorkflows(temporal);
    }

    /**
     * A page of the users who have, or had, a worker.
     *
     * @param state only those in this state; null for all
     * @param cursor of an earlier page; null for the first
     */
    FleetPage workers(@Nullable WorkerPhase state, int limit, @Nullable String cursor) {
        return page(state == null ? LIFECYCLES : LIFECYCLES + " AND " + in(state), limit, cursor);
    }

    /**
     * A page of the users whose worker dies too often.
     *
     * @param userId only this one; null for all
     * @param cursor of an earlier page; null for the first
     */
    FleetPage crashLooping(@Nullable UserId userId, int limit, @Nullable String cursor) {
        return page(userId == null ? CRASH_LOOPING : CRASH_LOOPING + " AND " + of(userId), limit, cursor);
    }

    private FleetPage page(String query, int limit, @Nullable String cursor) {
        ListWorkflowExecutionsResponse page = list(query, limit, cursor == null ? ByteString.EMPTY : token(cursor));
        List<FleetPage.Row> rows =
                found(page).flatMap(lifecycle -> row(lifecycle).stream()).toList();
        return new FleetPage(rows, page.getNextPageToken().isEmpty() ? null : cursor(page.getNextPageToken()));
    }

    /** Users by the state of their worker; states without any are left out. */
    Map<WorkerPhase, Long> workersByState() {
        Map<WorkerPhase, Long> all = new EnumMap<>(WorkerPhase.class);
        for (WorkerPhase state : WorkerPhase.values()) {
            long number = workflows.count(LIFECYCLES + " AND " + in(state));
            if (number > 0) {
                all.put(state, number);
            }
        }
        return all;
    }

    long crashLooping() {
        return workflows.count(CRASH_LOOPING);
    }

    long openOrders() {
        return workflows.count(OPEN_ORDERS);
    }

    long openOrders(UserId userId) {
        return workflows.count(OPEN_ORDERS + " AND " + of(userId));
    }

    /** A user's orders that are not final, or so many of them. */
    List<OpenOrder> orders(UserId userId, int limit) {
        return found(list(OPEN_ORDERS + " AND " + of(userId), limit, ByteString.EMPTY))
                .map(order -> {
                    String id = order.getExecution().getWorkflowId();
                    return new OpenOrder(
                            id.substring(id.lastIndexOf(':') + 1),
                            value(order, BerthSearchAttributes.ORDER_STATUS, "PENDING"));
                })
                .toList();
    }

    private static String in(WorkerPhase state) {
        return BerthSearchAttributes.WORKER_STATE.getName() + " = '" + state + "'";
    }

    private static String of(UserId userId) {
        return BerthSearchAttributes.USER_ID.getName() + " = '" + userId + "'";
    }

    private static Optional<FleetPage.Row> row(WorkflowExecutionMetadata lifecycle) {
        return WorkflowIds.userOfWorker(lifecycle.getExecution().getWorkflowId())
                .map(userId -> new FleetPage.Row(
                        userId,
                        value(lifecycle, BerthSearchAttributes.WORKER_STATE, "TERMINATED"),
                        value(lifecycle, BerthSearchAttributes.ATTENTION, false),
                        lifecycle.getStartTime()));
    }

    private static <T> T value(WorkflowExecutionMetadata workflow, SearchAttributeKey<T> key, T otherwise) {
        return Objects.requireNonNullElse(workflow.getTypedSearchAttributes().get(key), otherwise);
    }

    private Stream<WorkflowExecutionMetadata> found(ListWorkflowExecutionsResponse page) {
        return page.getExecutionsList().stream()
                .map(info -> new WorkflowExecutionMetadata(
                        info, temporal.getOptions().getDataConverter()));
    }

    private ListWorkflowExecutionsResponse list(String query, int limit, ByteString token) {
        try {
            return workflows.page(query, limit, token);
        } catch (StatusRuntimeException refused) {
            if (!token.isEmpty() && NOT_UNDERSTOOD.contains(refused.getStatus().getCode())) {
                throw foreignCursor();
            }
            throw refused;
        }
    }

    private static String cursor(ByteString token) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(token.toByteArray());
    }

    private static ByteString token(String cursor) {
        try {
            return ByteString.copyFrom(Base64.getUrlDecoder().decode(cursor));
        } catch (IllegalArgumentException foreign) {
            throw foreignCursor();
        }
    }

    private static Problem.Refusal foreignCursor() {
        return Problem.INVALID_REQUEST.because("cursor is not one that an earlier page gave. Begin without one.");
    }
}
