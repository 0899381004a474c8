package dev.berth.local.ecs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * AWS JSON 1.1 over HTTP: a header names the operation, and an error is a 400 with its type. Counts
 * the calls of each operation.
 */
final class AwsJsonProtocol {
    private static final Logger LOG = LoggerFactory.getLogger(AwsJsonProtocol.class);
    private static final String TARGET = "AmazonEC2ContainerServiceV20141113.";
    private static final String CONTENT_TYPE = "application/x-amz-json-1.1";

    /** One operation of ECS. Throws {@link ApiError} to refuse. */
    interface Operation {
        JsonNode answer(ApiRequest request);
    }

    private final Map<String, Operation> operations;
    private final Supplier<EcsFaults> faults;
    private final Map<String, LongAdder> calls = new ConcurrentSkipListMap<>();

    AwsJsonProtocol(Map<String, Operation> operations, Supplier<EcsFaults> faults) {
        this.operations = operations;
        this.faults = faults;
    }

    void addTo(RoutesConfig routes) {
        routes.post("/", this::api);
        routes.get("/_control/calls", context -> answer(context, Optional.of(EcsJson.MAPPER.valueToTree(calls))));
    }

    private void api(Context context) {
        String operation = operation(context.header("X-Amz-Target"));
        calls.computeIfAbsent(operation, _ -> new LongAdder()).increment();
        try {
            write(context, 200, find(operation).answer(new ApiRequest(parse(context.body()))));
        } catch (ApiError error) {
            ObjectNode body = error(error.type(), error.text());
            if (!error.resourceIds().isEmpty()) {
                body.set("resourceIds", EcsJson.texts(error.resourceIds()));
            }
            write(context, 400, body);
        } catch (RuntimeException e) {
            LOG.error("{} failed", operation, e);
            write(context, 500, error("ServerException", e.toString()));
        }
    }

    private Operation find(String name) {
        if (faults.get().throttled().contains(name)) {
            throw ApiError.throttled();
        }
        return Optional.ofNullable(operations.get(name)).orElseThrow(() -> ApiError.unknownOperation(name));
    }

    private static String operation(@Nullable String target) {
        return target != null && target.startsWith(TARGET) ? target.substring(TARGET.length()) : "nothing";
    }

    private static JsonNode parse(String body) {
        try {
            if (EcsJson.MAPPER.readTree(body.isEmpty() ? "{}" : body) instanceof ObjectNode object) {
                return object;
            }
        } catch (JsonProcessingException e) {
            LOG.debug("Invalid JSON in line {}", e.getLocation().getLineNr());
        }
        throw ApiError.malformed("The body must be a JSON object.");
    }

    private static void answer(Context context, Optional<ObjectNode> found) {
        context.contentType("application/json")
                .status(found.isPresent() ? 200 : 404)
                .result(found.map(ObjectNode::toString).orElse("{}"));
    }

    private static ObjectNode error(String type, String message) {
        return EcsJson.object().put("__type", type).put("message", message);
    }

    private static void write(Context context, int status, JsonNode body) {
        context.contentType(CONTENT_TYPE)
                .header("x-amzn-RequestId", UUID.randomUUID().toString())
                .status(status)
                .result(body.toString());
    }
}
