package dev.berth.host.order;

import io.temporal.activity.ActivityExecutionContext;
import io.temporal.client.ActivityCompletionException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tells the server every second that the activity is alive, from a thread of its own: the first beat is a call that
 * blocks. It also hears that the activity is to be canceled.
 */
public final class Heartbeat implements AutoCloseable {
    private static final Duration PERIOD = Duration.ofSeconds(1);

    private final AtomicBoolean canceled = new AtomicBoolean();
    private final Thread beating;

    private Heartbeat(ActivityExecutionContext activity) {
        this.beating = Thread.ofVirtual().name("heartbeat").start(() -> beat(activity));
    }

    public static Heartbeat of(ActivityExecutionContext activity) {
        return new Heartbeat(activity);
    }

    boolean isCanceled() {
        return canceled.get();
    }

    private void beat(ActivityExecutionContext activity) {
        try {
            while (true) {
                Thread.sleep(PERIOD);
                activity.heartbeat(null);
            }
        } catch (ActivityCompletionException ended) {
            canceled.set(true);
        } catch (InterruptedException finished) {
            // The activity is over.
        }
    }

    @Override
    public void close() {
        beating.interrupt();
    }
}
