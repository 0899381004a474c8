package dev.berth.temporal.client;

import com.google.protobuf.ByteString;
import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.UserId;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.common.v1.Payload;
import io.temporal.api.workflow.v1.WorkflowExecutionInfo;
import io.temporal.api.workflowservice.v1.CountWorkflowExecutionsRequest;
import io.temporal.api.workflowservice.v1.ListWorkflowExecutionsRequest;
import io.temporal.api.workflowservice.v1.ListWorkflowExecutionsResponse;
import io.temporal.client.WorkflowClient;
import io.temporal.common.SearchAttributeKey;
import io.temporal.common.converter.DataConverterException;
import io.temporal.common.converter.DefaultDataConverter;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Lists and counts what a query of Temporal's visibility finds. */
record Visibility(WorkflowClient temporal) {
    /** The largest page that the server can be configured for; the usual limit is 1,000. */
    private static final int PAGE = 10_000;

    /** The server has no single status for a page token that it cannot read. */
    private static final Set<Status.Code> REFUSED_TOKEN =
            Set.of(Status.Code.INVALID_ARGUMENT, Status.Code.UNKNOWN, Status.Code.INTERNAL);

    /** A search attribute with few values. */
    static final class Attribute<T> {
        private final String name;
        private final Class<T> type;
        /** Thousands of rows hold a handful of values: decode each value once. */
        private final Map<ByteString, T> decoded = new ConcurrentHashMap<>();

        Attribute(SearchAttributeKey<?> key, Class<T> type) {
            this.name = key.getName();
            this.type = type;
        }

        /** Empty when the workflow has no such attribute, or one of another type, typed by hand. */
        Optional<T> of(WorkflowExecutionInfo workflow) {
            Payload value = workflow.getSearchAttributes().getIndexedFieldsMap().get(name);
            return Optional.ofNullable(value)
                    .map(payload -> decoded.computeIfAbsent(payload.getData(), _ -> decode(payload)));
        }

        private @Nullable T decode(Payload payload) {
            try {
                return DefaultDataConverter.STANDARD_INSTANCE.fromPayload(payload, type, type);
            } catch (DataConverterException otherText) {
                return null;
            }
        }
    }

    void forEach(String query, Consumer<WorkflowExecutionInfo> action) {
        ByteString token = ByteString.EMPTY;
        do {
            ListWorkflowExecutionsResponse page = list(query, PAGE, token);
            page.getExecutionsList().forEach(action);
            token = page.getNextPageToken();
        } while (!token.isEmpty());
    }

    long count(String query) {
        return temporal.getWorkflowServiceStubs()
                .blockingStub()
                .countWorkflowExecutions(CountWorkflowExecutionsRequest.newBuilder()
                        .setNamespace(temporal.getOptions().getNamespace())
                        .setQuery(query)
                        .build())
                .getCount();
    }

    /**
     * Lists one page.
     *
     * @param cursor of an earlier page; null for the first page
     * @throws IllegalArgumentException when no earlier page gave this cursor
     */
    Page<WorkflowExecutionInfo> page(String query, int limit, @Nullable String cursor) {
        ListWorkflowExecutionsResponse page;
        try {
            page = list(query, limit, cursor == null ? ByteString.EMPTY : token(cursor));
        } catch (StatusRuntimeException refused) {
            if (cursor != null && REFUSED_TOKEN.contains(refused.getStatus().getCode())) {
                throw unknownCursor(refused);
            }
            throw refused;
        }
        ByteString next = page.getNextPageToken();
        return new Page<>(page.getExecutionsList(), next.isEmpty() ? null : cursor(next));
    }

    private static String cursor(ByteString token) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(token.toByteArray());
    }

    private static ByteString token(String cursor) {
        try {
            return ByteString.copyFrom(Base64.getUrlDecoder().decode(cursor));
        } catch (IllegalArgumentException notBase64) {
            throw unknownCursor(notBase64);
        }
    }

    private static IllegalArgumentException unknownCursor(RuntimeException cause) {
        return new IllegalArgumentException(
                "cursor is not one that an earlier page gave. Begin without a cursor.", cause);
    }

    private ListWorkflowExecutionsResponse list(String query, int limit, ByteString token) {
        return temporal.getWorkflowServiceStubs()
                .blockingStub()
                .listWorkflowExecutions(ListWorkflowExecutionsRequest.newBuilder()
                        .setNamespace(temporal.getOptions().getNamespace())
                        .setQuery(query)
                        .setPageSize(limit)
                        .setNextPageToken(token)
                        .build());
    }

    /** Narrows a query to the workflows of one user. */
    static String ofUser(UserId userId) {
        return " AND " + BerthSearchAttributes.USER_ID.getName() + " = '" + userId + "'";
    }

    static Instant startTime(WorkflowExecutionInfo workflow) {
        return Instant.ofEpochSecond(
                workflow.getStartTime().getSeconds(), workflow.getStartTime().getNanos());
    }
}
