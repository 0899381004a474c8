package dev.berth.local.ecs;

import java.util.List;

/** An ECS error response: HTTP 400 with {@code __type} and {@code message}. */
final class ApiError extends RuntimeException {
    private final String type;
    private final List<String> resourceIds;

    private ApiError(String type, String message, List<String> resourceIds) {
        super(message, null, false, false);
        this.type = type;
        this.resourceIds = List.copyOf(resourceIds);
    }

    static ApiError invalidParameter(String message) {
        return new ApiError("InvalidParameterException", message, List.of());
    }

    static ApiError client(String message) {
        return new ApiError("ClientException", message, List.of());
    }

    static ApiError clusterNotFound() {
        return new ApiError("ClusterNotFoundException", "Cluster not found.", List.of());
    }

    static ApiError conflict(List<String> taskArns) {
        return new ApiError(
                "ConflictException", "The provided clientToken is already in use with another request.", taskArns);
    }

    static ApiError unknownOperation(String operation) {
        return new ApiError("UnknownOperationException", "Local ECS does not know " + operation + ".", List.of());
    }

    static ApiError throttled() {
        return new ApiError("ThrottlingException", "Rate exceeded", List.of());
    }

    static ApiError malformed(String message) {
        return new ApiError("SerializationException", message, List.of());
    }

    String type() {
        return type;
    }

    String text() {
        return String.valueOf(getMessage());
    }

    /** The tasks of the client token in use; empty for every other error. */
    List<String> resourceIds() {
        return resourceIds;
    }
}
