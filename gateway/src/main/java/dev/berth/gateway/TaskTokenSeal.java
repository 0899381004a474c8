package dev.berth.gateway;

import com.google.protobuf.ByteString;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;

/**
 * Temporal's task tokens are not signed, so one could be made by hand. A sealed one carries a code
 * before Temporal's own token: only whom the task was handed to can use it, at any gateway.
 */
record TaskTokenSeal(GatewayKey key) {
    private static final String PURPOSE = "task-token";
    private static final int CODE_BYTES = 32;

    ByteString seal(Assignment holder, ByteString token) {
        return ByteString.copyFrom(code(holder, token)).concat(token);
    }

    /** Temporal's token; empty when it was not handed to this holder. */
    Optional<ByteString> open(Assignment holder, ByteString sealed) {
        if (sealed.size() <= CODE_BYTES) {
            return Optional.empty();
        }
        ByteString token = sealed.substring(CODE_BYTES);
        byte[] code = sealed.substring(0, CODE_BYTES).toByteArray();
        return MessageDigest.isEqual(code, code(holder, token)) ? Optional.of(token) : Optional.empty();
    }

    private byte[] code(Assignment holder, ByteString token) {
        return key.sign(
                PURPOSE,
                holder.userId().value().getBytes(StandardCharsets.UTF_8),
                Long.toString(holder.epoch()).getBytes(StandardCharsets.UTF_8),
                token.toByteArray());
    }
}
