package dev.berth.api;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Something that is done again and again while this process runs. A round that fails is made up for by the next. */
public abstract class Periodic implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(Periodic.class);

    private final String name;
    private final Duration pause;
    private volatile boolean running;
    private Thread thread = Thread.ofVirtual().unstarted(() -> {});

    /** @param pause between the end of a round and the beginning of the next */
    protected Periodic(String name, Duration pause) {
        this.name = name;
        this.pause = pause;
    }

    /** Does it once. */
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
                // Once an outage: whatever is away is told of elsewhere every time.
                if (running && !failing) {
                    LOG.warn("{} failed, and is tried again every {}", name, pause, failed);
                }
                failing = true;
            }
            try {
                Thread.sleep(pause);
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
