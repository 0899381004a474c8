package dev.berth.host.order;

import io.temporal.activity.ActivityExecutionContext;
import io.temporal.client.ActivityCanceledException;
import io.temporal.client.ActivityCompletionException;
import io.temporal.client.ActivityNotExistsException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Sends the activity's heartbeat every second from a thread of its own, since the call blocks, and
 * learns of cancellation by it.
 */
public final class ActivityHeartbeat implements AutoCloseable {
    private static final Duration PERIOD = Duration.ofSeconds(1);

    private final AtomicBoolean canceled = new AtomicBoolean();
    private final AtomicBoolean timedOut = new AtomicBoolean();
    private final Thread thread;
    private volatile boolean closed;

    private ActivityHeartbeat(ActivityExecutionContext activity) {
        this.thread = Thread.ofVirtual().name("heartbeat").start(() -> run(activity));
    }

    public static ActivityHeartbeat of(ActivityExecutionContext activity) {
        return new ActivityHeartbeat(activity);
    }

    /** The server gave this attempt up; another activity may already look the order up. */
    boolean isTimedOut() {
        return timedOut.get();
    }

    /** The activity has returned or timed out: the workflow does not receive a result any more. */
    boolean isEnded() {
        return closed || timedOut.get();
    }

    boolean isCanceled() {
        return canceled.get();
    }

    /** Continues after a cancellation: the activity still has to return the outcome. */
    private void run(ActivityExecutionContext activity) {
        try {
            while (true) {
                Thread.sleep(PERIOD);
                try {
                    activity.heartbeat(null);
                } catch (ActivityCanceledException cancelRequested) {
                    canceled.set(true);
                } catch (ActivityNotExistsException expired) {
                    timedOut.set(true);
                } catch (ActivityCompletionException unreachable) {
                    // The next heartbeat may succeed.
                }
            }
        } catch (InterruptedException finished) {
            // The activity has returned.
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
