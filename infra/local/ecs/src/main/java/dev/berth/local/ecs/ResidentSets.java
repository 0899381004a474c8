package dev.berth.local.ecs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads the resident set size of the watched processes four times a second. Ignores their children.
 */
final class ResidentSets implements AutoCloseable {
    private static final Duration INTERVAL = Duration.ofMillis(250);
    private static final Path PROC = Path.of("/proc");

    private final Set<ResidentSetLimit> watched = ConcurrentHashMap.newKeySet();
    private final Thread thread =
            Thread.ofPlatform().daemon().name("ecs-memory").start(this::watch);

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
        thread.interrupt();
    }

    /** 0 if the process does not exist. */
    static long kibibytesOf(long pid) {
        try {
            return Files.isDirectory(PROC.resolve("self")) ? fromProc(pid) : fromPs(pid);
        } catch (IOException | NumberFormatException e) {
            return 0;
        }
    }

    private void watch() {
        try {
            while (true) {
                Thread.sleep(INTERVAL);
                watched.forEach(ResidentSetLimit::check);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
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
