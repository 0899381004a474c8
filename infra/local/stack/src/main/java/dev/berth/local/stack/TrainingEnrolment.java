package dev.berth.local.stack;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;

/** Lets the training's task enrol at the gateway once, as the orchestrator lets the tasks it runs. */
final class TrainingEnrolment {
    private static final Duration VALIDITY = Duration.ofSeconds(90);
    private static final int TIMEOUT_MILLIS = 5_000;
    private static final int SECRET_BYTES = 32;

    private final int redisPort;
    private final String secret;

    /** Makes a new secret. */
    TrainingEnrolment(int redisPort) {
        byte[] random = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(random);
        this.redisPort = redisPort;
        this.secret = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }

    /** For the task's environment. */
    String secret() {
        return secret;
    }

    /**
     * Records that this task, a pool worker, may enrol.
     *
     * @throws IOException when Redis refuses or does not answer
     */
    void allow(String taskArn) throws IOException {
        long deadline = System.currentTimeMillis() + VALIDITY.toMillis();
        String key = "enrolment:" + sha256(secret);
        try (Socket redis = new Socket(InetAddress.getLoopbackAddress(), redisPort)) {
            redis.setSoTimeout(TIMEOUT_MILLIS);
            send(redis, "HSET", key, taskArn, "-1 " + deadline);
            send(redis, "PEXPIRE", key, Long.toString(VALIDITY.toMillis()));
        }
    }

    private static void send(Socket redis, String... command) throws IOException {
        StringBuilder request = new StringBuilder("*" + command.length + "\r\n");
        for (String part : command) {
            request.append('$').append(part.length()).append("\r\n").append(part).append("\r\n");
        }
        OutputStream out = redis.getOutputStream();
        out.write(request.toString().getBytes(StandardCharsets.US_ASCII));
        byte[] answer = redis.getInputStream().readNBytes(4);
        if (!new String(answer, StandardCharsets.US_ASCII).equals(":1\r\n")) {
            throw new IOException("Redis did not record the training's enrolment");
        }
    }

    private static String sha256(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException everyJdkHasIt) {
            throw new IllegalStateException(everyJdkHasIt);
        }
    }
}
