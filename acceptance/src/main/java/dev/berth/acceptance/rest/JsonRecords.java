package dev.berth.acceptance.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON as records and ignores fields that a record does not have. An absent field is null,
 * and a failure where the record has a primitive; a number is no text. Every failure is an
 * {@link AssertionError}, so that a test that waits for an answer goes on waiting.
 */
public final class JsonRecords {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .withCoercionConfig(
                    LogicalType.Textual,
                    text -> text.setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail)
                            .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                            .setCoercion(CoercionInputShape.Float, CoercionAction.Fail))
            .build();

    private JsonRecords() {}

    public static <T> T read(String json, Class<T> type) {
        try {
            return as(MAPPER.readTree(json), type);
        } catch (JsonProcessingException noJson) {
            throw new AssertionError("no JSON: " + json, noJson);
        }
    }

    /** A value that is no object reads as a record without any field. */
    public static <T> T as(JsonNode json, Class<T> type) {
        return convert(json.isObject() ? json : MAPPER.createObjectNode(), type);
    }

    /** Reads the elements of an array. */
    public static <T> List<T> list(JsonNode json, Class<T> element) {
        if (!json.isArray()) {
            throw new AssertionError("no array: " + json);
        }
        List<T> all = new ArrayList<>();
        json.forEach(one -> all.add(convert(one, element)));
        return List.copyOf(all);
    }

    /** The value of a field that the answer must have. */
    public static <T> T required(@Nullable T value, String field) {
        if (value == null) {
            throw new AssertionError("the answer has no " + field);
        }
        return value;
    }

    private static <T> T convert(JsonNode json, Class<T> type) {
        try {
            return MAPPER.treeToValue(json, type);
        } catch (JsonProcessingException other) {
            throw new AssertionError("no " + type.getSimpleName() + ": " + json, other);
        }
    }
}
