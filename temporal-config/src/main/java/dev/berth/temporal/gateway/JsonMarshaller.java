package dev.berth.temporal.gateway;

import dev.berth.workflows.Json;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** JSON of one record as a gRPC message. */
record JsonMarshaller<T>(Class<T> type) implements MethodDescriptor.Marshaller<T> {
    @Override
    public InputStream stream(T value) {
        return new ByteArrayInputStream(Json.write(value).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Reads one record.
     *
     * @throws io.grpc.StatusRuntimeException {@code INVALID_ARGUMENT} for what is no such record
     */
    @Override
    public T parse(InputStream stream) {
        try {
            return Json.read(new String(stream.readAllBytes(), StandardCharsets.UTF_8), type);
        } catch (IOException | IllegalArgumentException unreadable) {
            throw Status.INVALID_ARGUMENT
                    .withDescription(unreadable.getMessage())
                    .asRuntimeException();
        }
    }
}
