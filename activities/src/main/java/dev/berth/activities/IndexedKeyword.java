package dev.berth.activities;

import com.google.protobuf.ByteString;
import io.temporal.api.common.v1.Payload;
import io.temporal.api.workflow.v1.WorkflowExecutionInfo;
import io.temporal.common.SearchAttributeKey;
import io.temporal.common.converter.DefaultDataConverter;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** A search attribute that names one of a few states, as Temporal tells of it. */
public final class IndexedKeyword<E extends Enum<E>> {
    private final String name;
    private final Class<E> type;
    /** A handful of them stands in thousands of rows. */
    private final Map<ByteString, E> known = new ConcurrentHashMap<>();

    public IndexedKeyword(SearchAttributeKey<String> key, Class<E> type) {
        this.name = key.getName();
        this.type = type;
    }

    /** Empty when the workflow has none. */
    public Optional<E> of(WorkflowExecutionInfo row) {
        return Optional.ofNullable(
                        row.getSearchAttributes().getIndexedFieldsMap().get(name))
                .map(keyword -> known.computeIfAbsent(keyword.getData(), _ -> Enum.valueOf(type, text(keyword))));
    }

    private static String text(Payload keyword) {
        return DefaultDataConverter.STANDARD_INSTANCE.fromPayload(keyword, String.class, String.class);
    }
}
