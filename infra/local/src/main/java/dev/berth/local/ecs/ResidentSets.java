package dev.berth.local.ecs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Reads the resident set size of the watched processes four times a second. Their children are not counted. */
final class ResidentSets implements AutoCloseable {
    private static final long INTERVAL_MILLIS = 250;
    private static final Path PROC = Path.of("/proc");

    private final Set<ResidentSetLimit> watched = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("ecs-memory").factory());

    ResidentSets() {
        clock.scheduleWithFixedDelay(this::checkAll, INTERVAL_MILLIS, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** @param mebibytes 0: no limit */
    ResidentSetLimit limit(int mebibytes) {
        ResidentSetLimit limit = new ResidentSetLimit(mebibytes, watched::remove);
        if (mebibytes > 0) {
            watched.add(limit);
        }
        return limit;
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }

    /** 0 when the process is gone. */
    static long kibibytesOf(long pid) {
        try {
            return Files.isDirectory(PROC.resolve("self")) ? fromProc(pid) : fromPs(pid);
        } catch (IOException | NumberFormatException e) {
            return 0;
        }
    }

    private void checkAll() {
        watched.forEach(ResidentSetLimit::check);
    }

    private static long fromProc(long pid) throws IOException {
        return Files.readAllLines(PROC.resolve(pid + "/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                .sum();
    }

    private static long fromPs(long pid) throws IOException {
        Process ps = new ProcessBuilder("ps", "-o", "rss=", "-p", Long.toString(pid)).start();
        String size = new String(ps.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        return size.isBlank() ? 0 : Long.parseLong(size.strip());
    }
}
