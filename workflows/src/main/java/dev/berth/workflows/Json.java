package dev.berth.workflows;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.temporal.common.converter.JacksonJsonPayloadConverter;

/** JSON of Redis, SQS and PostgreSQL, written as Temporal writes it: one form of a record everywhere. */
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
     * Reads what {@link #write} wrote; unknown fields are passed over, so that an older reader understands a newer
     * writer.
     *
     * @throws IllegalArgumentException when it is no JSON of this type
     */
    public static <T> T read(String json, Class<T> type) {
        try {
            return MAPPER.readValue(json, type);
        } catch (JsonProcessingException foreign) {
            throw new IllegalArgumentException("not a " + type.getSimpleName() + ": " + json, foreign);
        }
    }
}
