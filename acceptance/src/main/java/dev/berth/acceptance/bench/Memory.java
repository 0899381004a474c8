package dev.berth.acceptance.bench;

import dev.berth.acceptance.Stack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What a process holds, as Linux tells it; PSS shares what is mapped by several among them. */
record Memory(double rssMebibytes, double pssMebibytes) {
    static Memory of(long pid) throws IOException {
        Path rollup = Path.of("/proc", Long.toString(pid), "smaps_rollup");
        return new Memory(field(rollup, "Rss:"), field(rollup, "Pss:"));
    }

    /**
     * Every pool worker of this stack that is past its warm-up. One that was claimed looks the same from outside, so
     * ask only while no user has a worker.
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

    /** What is in memory now. */
    static double residentMebibytes(long pid) throws IOException {
        return field(Path.of("/proc", Long.toString(pid), "status"), "VmRSS:");
    }

    /** The most that was in memory since the process began, or since {@link #forgetPeak}. */
    static double peakMebibytes(long pid) throws IOException {
        return field(Path.of("/proc", Long.toString(pid), "status"), "VmHWM:");
    }

    static void forgetPeak(long pid) throws IOException {
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
