package dev.berth.temporal.gateway;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What a task signs with its new key, so that it cannot enrol a key that is not its own, and no
 * other can name a sealing key for it.
 */
public final class EnrolmentProof {
    private EnrolmentProof() {}

    /**
     * The bytes that are signed.
     *
     * @param sealingKey as the request gives it; null: it gives none
     */
    public static byte[] of(String secret, String taskArn, @Nullable String sealingKey) {
        String key = sealingKey == null ? "" : "\n" + sealingKey;
        return ("berth enrolment\n" + taskArn + "\n" + secret + key).getBytes(StandardCharsets.UTF_8);
    }
}
