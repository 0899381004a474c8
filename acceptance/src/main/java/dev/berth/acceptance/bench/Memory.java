package dev.berth.acceptance.bench;

import dev.berth.acceptance.stack.Stack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A process' memory, read from /proc; PSS divides shared pages among their processes. */
record Memory(double rssMebibytes, double pssMebibytes) {
    static Memory of(long pid) throws IOException {
        Path rollup = Path.of("/proc", Long.toString(pid), "smaps_rollup");
        return new Memory(field(rollup, "Rss:"), field(rollup, "Pss:"));
    }

    /**
     * The pool workers of the stack after their warm-up. A claimed one looks the same, so call this
     * only while no user has a worker.
     */
    static List<Memory> ofIdleWorkers(Stack stack) throws IOException {
        List<Memory> idle = new ArrayList<>();
        for (HostProcess worker : HostProcess.of(stack)) {
            if (worker.pool() && worker.isWarm()) {
                idle.add(of(worker.pid()));
            }
        }
        return idle;
    }

    /** The resident memory. */
    static double residentMebibytes(long pid) throws IOException {
        return field(Path.of("/proc", Long.toString(pid), "status"), "VmRSS:");
    }

    /** The peak of the resident memory since the start, or since {@link #resetPeak}. */
    static double peakMebibytes(long pid) throws IOException {
        return field(Path.of("/proc", Long.toString(pid), "status"), "VmHWM:");
    }

    static void resetPeak(long pid) throws IOException {
        Files.writeString(Path.of("/proc", Long.toString(pid), "clear_refs"), "5");
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
