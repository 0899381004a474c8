package dev.berth.workflows.retention;

import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import java.time.Duration;

/** Every time-out and retry policy of the archive, with its reason. */
final class ArchivePolicies {
    /** Three events each and more: below the 10,000 at which the server warns. */
    static final int FILES_PER_RUN = 200;

    private ArchivePolicies() {}

    /**
     * A thousand orders take a second; PostgreSQL ends a statement after 5 s. The next run, an hour
     * later, continues where this one gave up.
     */
    static ActivityOptions steps() {
        return ActivityOptions.newBuilder()
                .setStartToCloseTimeout(Duration.ofSeconds(60))
                .setScheduleToCloseTimeout(Duration.ofMinutes(30))
                .setRetryOptions(RetryOptions.newBuilder()
                        .setInitialInterval(Duration.ofSeconds(1))
                        .setMaximumInterval(Duration.ofMinutes(5))
                        .build())
                .build();
    }
}
