package dev.berth.workflows;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.temporal.common.converter.JacksonJsonPayloadConverter;
import java.util.stream.Collectors;

/**
 * JSON of Redis, SQS and PostgreSQL, written as Temporal writes it: one form of a record
 * everywhere.
 */
public final class Json {
    private static final ObjectMapper MAPPER = JacksonJsonPayloadConverter.newDefaultObjectMapper()
            .configure(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS, false)
            .configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false);

    private Json() {}

    public static String write(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException ours) {
            throw new IllegalStateException("a record of Berth must be writable as JSON", ours);
        }
    }

    /**
     * Reads what {@link #write} wrote; unknown fields are passed over, so that an older reader
     * understands a newer writer.
     *
     * @throws IllegalArgumentException when it is no JSON of this type; repeats nothing of the
     *     text, which may be a secret
     */
    public static <T> T read(String json, Class<T> type) {
        try {
            return MAPPER.readValue(json, type);
        } catch (JsonProcessingException foreign) {
            throw unreadable(type, foreign);
        }
    }

    /**
     * Reads any JSON; an empty text is a missing node.
     *
     * @throws IllegalArgumentException when it is none; repeats nothing of the text
     */
    public static JsonNode tree(String json) {
        try {
            return MAPPER.readTree(json);
        } catch (JsonProcessingException foreign) {
            throw unreadable(JsonNode.class, foreign);
        }
    }

    /** Without the parser's exception as its cause: that one quotes tokens and values. */
    private static IllegalArgumentException unreadable(Class<?> type, JsonProcessingException foreign) {
        JsonLocation place = foreign.getLocation();
        String path = foreign instanceof JsonMappingException mapping
                ? mapping.getPath().stream()
                        .map(step -> step.getFieldName() == null ? "[" + step.getIndex() + "]" : step.getFieldName())
                        .collect(Collectors.joining("."))
                : "";
        return new IllegalArgumentException("not a " + type.getSimpleName()
                + (place == null ? "" : ", line " + place.getLineNr() + ", column " + place.getColumnNr())
                + (path.isEmpty() ? "" : ", at " + PlainText.line(path)));
    }
}
