package dev.berth.local.ecs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The parameters of one call. An invalid parameter is an {@link ApiError}. */
record ApiRequest(JsonNode body) {
    Optional<String> text(String name) {
        JsonNode value = body.path(name);
        if (value.isMissingNode() || value.isNull()) {
            return Optional.empty();
        }
        if (!value.isTextual()) {
            throw ApiError.malformed(name + " must be a string.");
        }
        return value.textValue().isEmpty() ? Optional.empty() : Optional.of(value.textValue());
    }

    String required(String name) {
        return text(name).orElseThrow(() -> ApiError.invalidParameter(name + " cannot be blank."));
    }

    /**
     * A whole number from {@code least} to {@code most}; {@code absent} if the parameter is
     * missing.
     */
    int integer(String name, int least, int most, int absent) {
        JsonNode value = body.path(name);
        if (value.isMissingNode() || value.isNull()) {
            return absent;
        }
        if (!value.canConvertToInt() || value.intValue() < least || value.intValue() > most) {
            throw ApiError.invalidParameter(name + " must be " + least + " to " + most + ".");
        }
        return value.intValue();
    }

    /** The texts of an array; empty when absent. ECS takes at most 100 of them in every call. */
    List<String> texts(String name) {
        List<String> texts = new ArrayList<>();
        array(name).forEach(element -> texts.add(element.asText()));
        if (texts.size() > 100) {
            throw ApiError.invalidParameter(name + " can have at most 100 elements.");
        }
        return texts;
    }

    /** As {@link #texts}; refused when empty. */
    List<String> someTexts(String name, String refusal) {
        List<String> texts = texts(name);
        if (texts.isEmpty()) {
            throw ApiError.invalidParameter(refusal);
        }
        return texts;
    }

    ArrayNode array(String name) {
        return EcsJson.arrayOrEmpty(body.path(name));
    }
}
