package dev.berth.temporal.codec;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.temporal.api.common.v1.Payload;
import io.temporal.api.failure.v1.Failure;
import io.temporal.common.converter.DataConverter;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.payload.codec.PayloadCodec;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Encodes and decodes every payload and failure of a message of Temporal's API. */
public final class MessageCodec {
    private static final DataConverter JSON = DefaultDataConverter.STANDARD_INSTANCE;
    /** The SDK's names. */
    private static final String MESSAGE = "message";

    private static final String STACK_TRACE = "stack_trace";

    private final PayloadCodec codec;

    /** Reads the payloads of every owner. */
    public MessageCodec(PayloadKeys keys) {
        this.codec = new EncryptingCodec(keys);
    }

    /** Reads and writes the payloads of one owner. */
    public MessageCodec(PayloadKeys keys, KeyOwner owner) {
        this.codec = new EncryptingCodec(keys, owner);
    }

    /**
     * Decodes all of it, such as a history.
     *
     * @throws RuntimeException when a key is missing, or a payload was changed or is of an owner
     *     whose payloads are not read
     */
    @SuppressWarnings("unchecked")
    public <T extends Message> T decode(T message) {
        return (T) decoded(message);
    }

    /** Encodes all of it; a failure keeps its type, and its text becomes a payload. */
    @SuppressWarnings("unchecked")
    public <T extends Message> T encode(T message) {
        return (T) encoded(message);
    }

    private Message decoded(Message message) {
        if (message instanceof Payload payload) {
            return codec.decode(List.of(payload)).getFirst();
        }
        Message decoded = withFields(message, this::decoded);
        return decoded instanceof Failure failure ? withText(failure) : decoded;
    }

    private Message encoded(Message message) {
        if (message instanceof Payload payload) {
            return codec.encode(List.of(payload)).getFirst();
        }
        return withFields(message instanceof Failure failure ? withoutText(failure) : message, this::encoded);
    }

    private static Message withFields(Message message, UnaryOperator<Message> change) {
        Message.Builder changed = message.toBuilder();
        message.getAllFields().forEach((field, value) -> {
            if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
                changed.setField(field, changed(value, change));
            }
        });
        return changed.build();
    }

    /** The entries of a map are messages, too. */
    private static Object changed(Object value, UnaryOperator<Message> change) {
        return value instanceof List<?> several
                ? several.stream().map(one -> change.apply((Message) one)).toList()
                : change.apply((Message) value);
    }

    private static Failure withText(Failure failure) {
        if (!failure.hasEncodedAttributes()) {
            return failure;
        }
        Map<?, ?> text = JSON.fromPayload(failure.getEncodedAttributes(), Map.class, Map.class);
        return failure.toBuilder()
                .setMessage(String.valueOf(text.get(MESSAGE)))
                .setStackTrace(String.valueOf(text.get(STACK_TRACE)))
                .clearEncodedAttributes()
                .build();
    }

    /** What came encoded is replaced: only what is written here is sure to be readable. */
    private static Failure withoutText(Failure failure) {
        Map<String, String> text = Map.of(MESSAGE, failure.getMessage(), STACK_TRACE, failure.getStackTrace());
        return failure.toBuilder()
                .setMessage("Encoded failure")
                .clearStackTrace()
                .setEncodedAttributes(JSON.toPayload(text).orElseThrow())
                .build();
    }
}
