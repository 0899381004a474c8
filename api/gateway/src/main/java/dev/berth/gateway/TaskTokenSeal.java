package dev.berth.gateway;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;

/**
 * Temporal's task tokens are not signed, so one could be made by hand, and do not tell the gateway
 * what they are for. A sealed one carries a code and the activity's type before Temporal's own
 * token: only whom the task was handed to can use it, at any gateway, and as what it is.
 */
record TaskTokenSeal(GatewayKey key) {
    private static final String PURPOSE = "task-token";
    private static final int CODE_BYTES = 32;

    /**
     * A task of Temporal.
     *
     * @param activity its type, in UTF-8 at most 65,535 bytes
     * @param token Temporal's
     */
    record Task(String activity, ByteString token) {}

    /** The code, the length of the type in two bytes, the type, Temporal's token. */
    ByteString seal(Assignment holder, Task task) {
        byte[] activity = task.activity().getBytes(StandardCharsets.UTF_8);
        ByteBuffer length = ByteBuffer.allocate(Short.BYTES)
                .putShort((short) activity.length)
                .flip();
        return ByteString.copyFrom(code(holder, activity, task.token()))
                .concat(ByteString.copyFrom(length))
                .concat(ByteString.copyFrom(activity))
                .concat(task.token());
    }

    /** The task; empty when it was not handed to this holder. */
    Optional<Task> open(Assignment holder, ByteString sealed) {
        int head = CODE_BYTES + Short.BYTES;
        if (sealed.size() <= head) {
            return Optional.empty();
        }
        int length = Short.toUnsignedInt(sealed.asReadOnlyByteBuffer().getShort(CODE_BYTES));
        if (sealed.size() <= head + length) {
            return Optional.empty();
        }
        ByteString activity = sealed.substring(head, head + length);
        ByteString token = sealed.substring(head + length);
        byte[] code = sealed.substring(0, CODE_BYTES).toByteArray();
        return MessageDigest.isEqual(code, code(holder, activity.toByteArray(), token))
                ? Optional.of(new Task(activity.toStringUtf8(), token))
                : Optional.empty();
    }

    private byte[] code(Assignment holder, byte[] activity, ByteString token) {
        return key.sign(
                PURPOSE,
                holder.userId().value().getBytes(StandardCharsets.UTF_8),
                Long.toString(holder.epoch()).getBytes(StandardCharsets.UTF_8),
                activity,
                token.toByteArray());
    }
}
