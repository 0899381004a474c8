package dev.berth.local.venue;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;

/** JSON of the API and the book: decimals are plain strings, times are RFC 3339 in UTC. */
final class VenueJson {

    static final ObjectMapper MAPPER = JsonMapper.builder()
            .addModule(new SimpleModule()
                    .addSerializer(BigDecimal.class, new PlainDecimal())
                    .addSerializer(Instant.class, new Rfc3339())
                    .addDeserializer(Instant.class, new FromRfc3339()))
            .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private VenueJson() {}

    /** Without exponent and trailing zeros. */
    static String plain(BigDecimal value) {
        return value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString();
    }

    /** The JSON name of an enum constant. */
    static String word(Enum<?> constant) {
        return MAPPER.convertValue(constant, String.class);
    }

    /** @throws VenueRefusal if this is not a JSON object */
    static JsonNode object(String text) {
        try {
            var node = MAPPER.readTree(text);
            if (node != null && node.isObject()) {
                return node;
            }
        } catch (JsonProcessingException e) {
            throw VenueRefusal.malformed("request body format is invalid");
        }
        throw VenueRefusal.malformed("request body format is invalid");
    }

    private static final class PlainDecimal extends JsonSerializer<BigDecimal> {
        @Override
        public void serialize(BigDecimal value, JsonGenerator out, SerializerProvider provider) throws IOException {
            out.writeString(plain(value));
        }
    }

    private static final class Rfc3339 extends JsonSerializer<Instant> {
        @Override
        public void serialize(Instant value, JsonGenerator out, SerializerProvider provider) throws IOException {
            out.writeString(value.toString());
        }
    }

    private static final class FromRfc3339 extends FromStringDeserializer<Instant> {
        FromRfc3339() {
            super(Instant.class);
        }

        @Override
        protected Instant _deserialize(String value, DeserializationContext context) {
            return Instant.parse(value);
        }
    }
}
