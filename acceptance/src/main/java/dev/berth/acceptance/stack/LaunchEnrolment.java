package dev.berth.acceptance.stack;

import dev.berth.workflows.Hashes;
import dev.berth.workflows.RedisKeys;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** What the orchestrator records in Redis for a task that it ran. */
public record LaunchEnrolment(RedisKeyspace redis) {
    private static final Duration VALIDITY = Duration.ofSeconds(90);

    public static LaunchEnrolment of(Stack stack) {
        return new LaunchEnrolment(RedisKeyspace.of(stack));
    }

    /**
     * Lets a task enrol once.
     *
     * @param claim user and epoch, or {@code -1} for a pool worker
     */
    public void allow(String secret, String taskArn, String claim) throws IOException {
        long deadline = System.currentTimeMillis() + VALIDITY.toMillis();
        redis.set(RedisKeys.enrolment(Hashes.sha256(secret)), Map.of(taskArn, claim + " " + deadline));
    }
}
