package dev.berth.local.stack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/**
 * Lets the training's worker enrol at the gateway, as the orchestrator does with the others: no
 * orchestrator runs yet.
 */
final class TrainingEnrolment {
    private static final Duration WINDOW = Duration.ofSeconds(90);
    private static final int SECRET_BYTES = 32;

    private final int redisPort;
    private final String secret;

    TrainingEnrolment(int redisPort) {
        this.redisPort = redisPort;
        byte[] random = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(random);
        this.secret = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }

    String secret() {
        return secret;
    }

    /** The task may enrol once, as a pool worker. */
    void record(String taskArn) throws IOException {
        String deadline = Long.toString(Instant.now().plus(WINDOW).toEpochMilli());
        String key = "enrolment:" + sha256(secret);
        try (Socket redis = new Socket(InetAddress.getLoopbackAddress(), redisPort)) {
            redis.getOutputStream().write(command(List.of("HSET", key, taskArn, "-1 " + deadline)));
            redis.getOutputStream().write(command(List.of("EXPIRE", key, "3600")));
            redis.getOutputStream().write(command(List.of("QUIT")));
            String answer = new String(redis.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            if (!answer.startsWith(":1\r\n:1\r\n")) {
                throw new IOException("Redis does not record the training's enrolment: " + answer);
            }
        }
    }

    private static byte[] command(List<String> words) {
        StringBuilder text = new StringBuilder("*" + words.size() + "\r\n");
        words.forEach(word -> text.append("$" + word.length() + "\r\n" + word + "\r\n"));
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static String sha256(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException everyJdkHasIt) {
            throw new IllegalStateException(everyJdkHasIt);
        }
    }
}
