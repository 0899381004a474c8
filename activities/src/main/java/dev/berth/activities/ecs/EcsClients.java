package dev.berth.activities.ecs;

import java.time.Duration;
import software.amazon.awssdk.retries.StandardRetryStrategy;
import software.amazon.awssdk.services.ecs.EcsClient;
import software.amazon.awssdk.services.ecs.EcsClientBuilder;

/** Clients of ECS that give up. The SDK itself would wait for an answer for half a minute. */
final class EcsClients {
    /** ECS answers in a fraction of a second; a repeated {@code RunTask} has the same token. */
    private static final Duration ATTEMPT = Duration.ofSeconds(4);

    /** Shorter than the activities that call it, so that they tell what failed. */
    private static final Duration CALL = Duration.ofSeconds(12);
    /** With pauses that double and vary; longer ones after a throttled call. */
    private static final int ATTEMPTS = 4;

    private EcsClients() {}

    /** Endpoint, region and credentials come from the SDK's own settings. */
    static EcsClient create() {
        return bounded(EcsClient.builder(), ATTEMPT, CALL).build();
    }

    /**
     * Bounds each call.
     *
     * @param attempt of one request
     * @param call of all attempts with their pauses
     */
    static EcsClientBuilder bounded(EcsClientBuilder client, Duration attempt, Duration call) {
        return client.overrideConfiguration(limits -> limits.apiCallAttemptTimeout(attempt)
                .apiCallTimeout(call)
                .retryStrategy(
                        StandardRetryStrategy.builder().maxAttempts(ATTEMPTS).build()));
    }
}
