package dev.berth.api;

import io.grpc.Context;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Calls of Temporal that a client waits for: Temporal's own client repeats one that is not answered for a minute. */
public final class Prompt {
    /** Of one answer; the server's own limit for a query. */
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private static final ScheduledExecutorService CLOCK = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("prompt").factory());

    private Prompt() {}

    /**
     * Makes the call, all repetitions included, within 10 s.
     *
     * @throws io.grpc.StatusRuntimeException with {@code DEADLINE_EXCEEDED}, as it is or as a cause, when time is up
     */
    public static <T> T call(Supplier<T> call) {
        Context.CancellableContext limited =
                Context.current().withDeadlineAfter(LIMIT.toMillis(), TimeUnit.MILLISECONDS, CLOCK);
        Context before = limited.attach();
        try {
            return call.get();
        } finally {
            limited.detachAndCancel(before, null);
        }
    }
}
