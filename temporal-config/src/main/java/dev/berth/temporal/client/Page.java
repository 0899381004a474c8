package dev.berth.temporal.client;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list.
 *
 * @param nextCursor of the next page; null on the last one
 */
public record Page<T>(List<T> items, @Nullable String nextCursor) {
    /** A page of rows that were read with a limit: one that is not full is the last. */
    public static <T> Page<T> of(List<T> rows, int limit, Function<T, String> cursor) {
        return new Page<>(rows, rows.size() < limit ? null : cursor.apply(rows.getLast()));
    }

    public <R> Page<R> map(Function<? super T, R> view) {
        return new Page<>(items.stream().map(view).toList(), nextCursor);
    }
}
