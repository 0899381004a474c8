package dev.berth.acceptance.rest;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list.
 *
 * @param nextCursor of the next page; null on the last one
 */
public record ResultPage<T>(List<T> items, @Nullable String nextCursor) {
    static <T> ResultPage<T> of(JsonResponse answer, Class<T> item) {
        JsonNode cursor = answer.body().get("nextCursor");
        return new ResultPage<>(answer.list("items", item), cursor == null || cursor.isNull() ? null : cursor.asText());
    }
}
