package dev.berth.acceptance.bench;

import dev.berth.acceptance.Stack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What a process holds, as Linux tells it; PSS shares what is mapped by several among them. */
record Memory(double rssMebibytes, double pssMebibytes) {
    private static final Duration WARM_UP = Duration.ofSeconds(3);

    static Memory of(long pid) throws IOException {
        Path rollup = Path.of("/proc", Long.toString(pid), "smaps_rollup");
        return new Memory(field(rollup, "Rss:"), field(rollup, "Pss:"));
    }

    /**
     * Every pool worker of this stack that is past its warm-up. One that was claimed looks the same from outside, so
     * ask only while no user has a worker.
     */
    static List<Memory> ofIdleWorkers(Stack stack) throws IOException {
        Instant warm = Instant.now().minus(WARM_UP);
        List<Memory> idle = new ArrayList<>();
        for (ProcessHandle process : ProcessHandle.allProcesses().toList()) {
            boolean old = process.info().startInstant().orElse(Instant.MAX).isBefore(warm);
            if (old && isPoolWorker(process, stack)) {
                idle.add(of(process.pid()));
            }
        }
        return idle;
    }

    private static boolean isPoolWorker(ProcessHandle process, Stack stack) {
        try {
            String environment = Files.readString(Path.of("/proc", Long.toString(process.pid()), "environ"));
            return environment.contains("BERTH_USER_ID=-1\0")
                    && environment.contains("BERTH_REDIS_URI=redis://127.0.0.1:" + stack.port("REDIS", 16379) + "\0");
        } catch (IOException notOurs) {
            return false;
        }
    }

    private static double field(Path file, String name) throws IOException {
        for (String line : Files.readAllLines(file)) {
            if (line.startsWith(name)) {
                return Long.parseLong(line.replaceAll("\\D+", "")) / 1024.0;
            }
        }
        throw new IOException(file + " has no " + name);
    }
}
