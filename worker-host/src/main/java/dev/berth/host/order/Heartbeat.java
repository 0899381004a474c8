package dev.berth.host.order;

import io.temporal.activity.ActivityExecutionContext;
import io.temporal.client.ActivityCanceledException;
import io.temporal.client.ActivityCompletionException;
import io.temporal.client.ActivityNotExistsException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tells the server every second that the activity is alive, from a thread of its own: the first beat is a call that
 * blocks. It also hears that the activity is to be canceled.
 */
public final class Heartbeat implements AutoCloseable {
    private static final Duration PERIOD = Duration.ofSeconds(1);

    private final AtomicBoolean canceled = new AtomicBoolean();
    private final AtomicBoolean overtaken = new AtomicBoolean();
    private final Thread beating;
    private volatile boolean over;

    private Heartbeat(ActivityExecutionContext activity) {
        this.beating = Thread.ofVirtual().name("heartbeat").start(() -> beat(activity));
    }

    public static Heartbeat of(ActivityExecutionContext activity) {
        return new Heartbeat(activity);
    }

    /** The server has given this attempt up; somebody else may already be asking for its order. */
    boolean isOvertaken() {
        return overtaken.get();
    }

    /** Nobody listens to the activity's answer any more: it has come back, or was given up. */
    boolean isOver() {
        return over || overtaken.get();
    }

    boolean isCanceled() {
        return canceled.get();
    }

    /** Goes on after a cancel was heard: the activity still has to come back with what became of it. */
    private void beat(ActivityExecutionContext activity) {
        try {
            while (true) {
                Thread.sleep(PERIOD);
                try {
                    activity.heartbeat(null);
                } catch (ActivityCanceledException toBeCanceled) {
                    canceled.set(true);
                } catch (ActivityNotExistsException timedOut) {
                    overtaken.set(true);
                } catch (ActivityCompletionException notHeard) {
                    // The next beat may get through.
                }
            }
        } catch (InterruptedException finished) {
            // The activity is over.
        }
    }

    @Override
    public void close() {
        over = true;
        beating.interrupt();
    }
}
