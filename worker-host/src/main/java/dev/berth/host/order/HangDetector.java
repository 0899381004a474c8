package dev.berth.host.order;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices work that hangs, and a process in which no virtual thread runs any more. Counts its own
 * ticks instead of time: a process that was frozen for a while does not hang.
 */
public final class HangDetector implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HangDetector.class);
    private static final Duration TICK = Duration.ofSeconds(1);
    /** EX_SOFTWARE of sysexits.h: tells a hang from other exits in the task's stop reason. */
    private static final int EXIT_CODE = 70;

    /** One piece of work; closed when it has ended. */
    public static final class Watched implements AutoCloseable {
        private final HangDetector detector;
        private final String name;

        private Watched(HangDetector detector, String name) {
            this.detector = detector;
            this.name = name;
        }

        @Override
        public void close() {
            detector.ticksOf.remove(this);
        }
    }

    private final Map<Watched, Long> ticksOf = new ConcurrentHashMap<>();
    private volatile @Nullable Watched probe;
    private final long maxTicks;
    private final Consumer<String> onHang;
    /** A platform thread: hanging work may occupy every carrier thread. */
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("hang-detector").factory());

    HangDetector(Duration limit, Consumer<String> onHang) {
        this.maxTicks = limit.dividedBy(TICK);
        this.onHang = onHang;
    }

    /** Ends the process when work hangs: ECS reports the exit, and the lifecycle starts another. */
    public static HangDetector endingTheProcess(Duration limit) {
        return new HangDetector(limit, name -> {
            LOG.error("{} hangs for {}; the process ends, so that it is replaced", name, limit);
            Runtime.getRuntime().halt(EXIT_CODE);
        });
    }

    public void start() {
        // With a fixed rate, the ticks of a freeze would follow at once.
        var _ = scheduler.scheduleWithFixedDelay(
                () -> {
                    probe();
                    tick();
                },
                TICK.toMillis(),
                TICK.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /**
     * Activities start on virtual threads: if none of these runs, no watched work starts either.
     */
    private void probe() {
        if (probe == null) {
            Watched next = watch("every virtual thread");
            probe = next;
            Thread.ofVirtual().name("hang-probe").start(() -> {
                next.close();
                probe = null;
            });
        }
    }

    public Watched watch(String name) {
        Watched work = new Watched(this, name);
        ticksOf.put(work, 0L);
        return work;
    }

    void tick() {
        ticksOf.replaceAll((_, ticks) -> ticks + 1);
        ticksOf.forEach((work, ticks) -> {
            if (ticks >= maxTicks) {
                onHang.accept(work.name);
            }
        });
    }

    @Override
    public void close() {
        scheduler.shutdownNow();
    }
}
