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
 * Notices work that hangs, and a process in which nothing can begin any more. It counts its own ticks and not the time, so that a process that was frozen for a while is
 * not taken for one that hangs.
 */
public final class HangWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HangWatch.class);
    private static final Duration TICK = Duration.ofSeconds(1);
    /** "Internal software error" of sysexits.h; told apart from any exit of ours in the task's stop reason. */
    private static final int HUNG = 70;

    /** One piece of work; closed when it is over. */
    public static final class Watched implements AutoCloseable {
        private final HangWatch watch;
        private final String what;

        private Watched(HangWatch watch, String what) {
            this.watch = watch;
            this.what = what;
        }

        @Override
        public void close() {
            watch.ticksOf.remove(this);
        }
    }

    private final Map<Watched, Long> ticksOf = new ConcurrentHashMap<>();
    private volatile @Nullable Watched probe;
    private final long most;
    private final Consumer<String> hung;
    /** A thread of the system, since what hangs may hold every carrier of the virtual ones. */
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("hang-watch").factory());

    HangWatch(Duration limit, Consumer<String> hung) {
        this.most = limit.dividedBy(TICK);
        this.hung = hung;
    }

    /** Ends the process when work hangs: ECS tells of its end, and the lifecycle replaces it. */
    public static HangWatch endingTheProcess(Duration limit) {
        return new HangWatch(limit, what -> {
            LOG.error("{} hangs for {}; the process ends, so that it is replaced", what, limit);
            Runtime.getRuntime().halt(HUNG);
        });
    }

    public void start() {
        // Not at a fixed rate, which would make up for the ticks of a freeze.
        var _ = clock.scheduleWithFixedDelay(
                () -> {
                    probe();
                    tick();
                },
                TICK.toMillis(),
                TICK.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /** Orders are asked for on virtual threads: when none of these gets on, no work begins that could be seen to hang. */
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

    public Watched watch(String what) {
        Watched work = new Watched(this, what);
        ticksOf.put(work, 0L);
        return work;
    }

    void tick() {
        ticksOf.replaceAll((_, ticks) -> ticks + 1);
        ticksOf.forEach((work, ticks) -> {
            if (ticks >= most) {
                hung.accept(work.what);
            }
        });
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
