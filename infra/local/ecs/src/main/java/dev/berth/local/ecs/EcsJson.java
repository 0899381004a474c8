package dev.berth.local.ecs;

import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.time.Instant;
import java.util.Collection;

/** One mapper for the wire and the disk; instants are ISO 8601 text on disk. */
final class EcsJson {
    static final ObjectMapper MAPPER = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .addModule(new SimpleModule()
                    .addSerializer(Instant.class, ToStringSerializer.instance)
                    .addDeserializer(Instant.class, new InstantText()))
            .build();

    private EcsJson() {}

    static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    static ArrayNode array() {
        return MAPPER.createArrayNode();
    }

    static ArrayNode array(Collection<? extends JsonNode> elements) {
        return array().addAll(elements);
    }

    static ArrayNode texts(Collection<String> elements) {
        ArrayNode texts = array();
        elements.forEach(texts::add);
        return texts;
    }

    /** The array itself; an empty array for anything else. */
    static ArrayNode arrayOrEmpty(JsonNode node) {
        return node instanceof ArrayNode array ? array : array();
    }

    private static final class InstantText extends FromStringDeserializer<Instant> {
        private InstantText() {
            super(Instant.class);
        }

        @Override
        protected Instant _deserialize(String text, DeserializationContext context) {
            return Instant.parse(text);
        }
    }
}
