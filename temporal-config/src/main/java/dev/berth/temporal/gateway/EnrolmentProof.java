package dev.berth.temporal.gateway;

import java.nio.charset.StandardCharsets;

/** What a task signs with its new key, so that it cannot enrol a key that is not its own. */
public final class EnrolmentProof {
    private EnrolmentProof() {}

    /** The bytes that are signed. */
    public static byte[] of(String secret, String taskArn) {
        return ("berth enrolment\n" + taskArn + "\n" + secret).getBytes(StandardCharsets.UTF_8);
    }
}
