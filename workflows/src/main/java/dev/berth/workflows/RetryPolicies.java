package dev.berth.workflows;

import io.temporal.common.RetryOptions;
import java.time.Duration;

/** How often a call is made again, where several subjects mean the same by it. */
public final class RetryPolicies {
    public static final RetryOptions ONCE =
            RetryOptions.newBuilder().setMaximumAttempts(1).build();

    private RetryPolicies() {}

    /**
     * Until it succeeds. The number stands here for a reason: the SDK tries a local activity once
     * when it has neither a number of attempts nor a schedule-to-close.
     *
     * @param first pause; doubles up to {@code longest}
     */
    public static RetryOptions untilItSucceeds(Duration first, Duration longest) {
        return times(Integer.MAX_VALUE, first, longest);
    }

    /**
     * So often, the first call among them.
     *
     * @param first pause; doubles up to {@code longest}
     */
    public static RetryOptions times(int attempts, Duration first, Duration longest) {
        return RetryOptions.newBuilder()
                .setInitialInterval(first)
                .setMaximumInterval(longest)
                .setMaximumAttempts(attempts)
                .build();
    }
}
