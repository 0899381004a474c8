package dev.berth.process;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Runs a round again and again while the process runs. A failed round is retried by the next. */
public abstract class PeriodicTask implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(PeriodicTask.class);

    /** Pause after a failed round of a task that has none. */
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final String name;
    private final Duration pause;
    private volatile boolean running;
    private Thread thread = Thread.ofVirtual().unstarted(() -> {});

    /** @param pause after a round; zero if the round itself waits, as a long poll does */
    protected PeriodicTask(String name, Duration pause) {
        this.name = name;
        this.pause = pause;
    }

    /** Runs once. */
    protected abstract void round() throws Exception;

    @Override
    public final void start() {
        running = true;
        thread = Thread.ofVirtual().name(name).start(this::run);
    }

    private void run() {
        boolean failing = false;
        while (running) {
            try {
                round();
                failing = false;
            } catch (InterruptedException stop) {
                return;
            } catch (Exception failed) {
                // Once per outage, so that the log stays readable.
                if (running && !failing) {
                    LOG.warn("{} failed, and is retried", name, failed);
                }
                failing = true;
            }
            try {
                Thread.sleep(failing && pause.isZero() ? RETRY : pause);
            } catch (InterruptedException stop) {
                return;
            }
        }
    }

    @Override
    public final void stop() {
        running = false;
        thread.interrupt();
    }

    @Override
    public final boolean isRunning() {
        return running;
    }
}
