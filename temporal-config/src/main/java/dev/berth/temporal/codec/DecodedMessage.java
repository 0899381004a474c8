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

/** A message of Temporal's API, such as a history, with every payload and failure decoded. */
public final class DecodedMessage {
    private final PayloadCodec codec;

    private DecodedMessage(PayloadCodec codec) {
        this.codec = codec;
    }

    /**
     * Decodes all of it.
     *
     * @throws RuntimeException when a key is missing, or a payload was changed
     */
    @SuppressWarnings("unchecked")
    public static <T extends Message> T of(T message, PayloadKeys keys) {
        return (T) new DecodedMessage(new EncryptingCodec(keys)).decode(message);
    }

    private Message decode(Message message) {
        if (message instanceof Payload payload) {
            return codec.decode(List.of(payload)).getFirst();
        }
        Message.Builder decoded = message.toBuilder();
        message.getAllFields().forEach((field, value) -> {
            if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
                decoded.setField(field, decoded(value));
            }
        });
        return decoded instanceof Failure.Builder failure ? withText(failure) : decoded.build();
    }

    /** The entries of a map are messages, too. */
    private Object decoded(Object value) {
        return value instanceof List<?> several
                ? several.stream().map(one -> decode((Message) one)).toList()
                : decode((Message) value);
    }

    private static Failure withText(Failure.Builder failure) {
        if (failure.hasEncodedAttributes()) {
            DataConverter json = DefaultDataConverter.STANDARD_INSTANCE;
            Map<?, ?> text = json.fromPayload(failure.getEncodedAttributes(), Map.class, Map.class);
            failure.setMessage(String.valueOf(text.get("message")))
                    .setStackTrace(String.valueOf(text.get("stack_trace")))
                    .clearEncodedAttributes();
        }
        return failure.build();
    }
}
