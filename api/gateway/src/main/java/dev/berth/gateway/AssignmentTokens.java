package dev.berth.gateway;

import dev.berth.workflows.UserId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Optional;

/** Assignments as text that only a gateway can make: {@code task.user.epoch.code}. */
record AssignmentTokens(GatewayKey key) {
    private static final String PURPOSE = "assignment";

    String token(Assignment assignment) {
        String text = assignment.taskId() + "." + assignment.userId() + "." + assignment.epoch();
        return text + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(code(text));
    }

    /** Empty for what no gateway made. */
    Optional<Assignment> read(String token) {
        int end = token.lastIndexOf('.');
        if (end < 0) {
            return Optional.empty();
        }
        String text = token.substring(0, end);
        byte[] code;
        try {
            code = Base64.getUrlDecoder().decode(token.substring(end + 1));
        } catch (IllegalArgumentException noBase64) {
            return Optional.empty();
        }
        if (!MessageDigest.isEqual(code, code(text))) {
            return Optional.empty();
        }
        String[] parts = text.split("\\.", 3);
        return Optional.of(new Assignment(parts[0], new UserId(parts[1]), Long.parseLong(parts[2])));
    }

    private byte[] code(String text) {
        return key.sign(PURPOSE, text.getBytes(StandardCharsets.UTF_8));
    }
}
