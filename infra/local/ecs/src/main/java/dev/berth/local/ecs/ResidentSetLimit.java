package dev.berth.local.ecs;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The limit of one task without a control group; {@link ResidentSets} checks it periodically. */
final class ResidentSetLimit implements MemoryLimit {
    private final long kibibytes;
    private volatile @Nullable ProcessHandle process;
    private volatile boolean exceeded;

    private final Consumer<ResidentSetLimit> whenClosed;

    /** @param mebibytes 0: no limit */
    ResidentSetLimit(int mebibytes, Consumer<ResidentSetLimit> whenClosed) {
        this.whenClosed = whenClosed;
        kibibytes = mebibytes == 0 ? Long.MAX_VALUE : mebibytes * 1024L;
    }

    @Override
    public Optional<Path> folder() {
        return Optional.empty();
    }

    @Override
    public Optional<Path> entrance() {
        return Optional.empty();
    }

    @Override
    public void attach(ProcessHandle newProcess) {
        process = newProcess;
    }

    @Override
    public boolean wasExceeded() {
        return exceeded;
    }

    @Override
    public void close() {
        process = null;
        whenClosed.accept(this);
    }

    void check() {
        ProcessHandle watched = process;
        if (watched != null && ResidentSets.kibibytesOf(watched.pid()) > kibibytes) {
            exceeded = true;
            watched.destroyForcibly();
        }
    }
}
