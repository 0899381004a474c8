package dev.berth.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** JSON of calls and answers. */
final class ApiJson {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private ApiJson() {}

    /** A text that is no JSON reads as missing, such as a page of a proxy. */
    static JsonNode read(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException noJson) {
            return MAPPER.missingNode();
        }
    }

    static ObjectNode object() {
        return MAPPER.createObjectNode();
    }
}
