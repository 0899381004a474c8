package dev.berth.local.ecs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A memory control group of the kernel, version 1 or 2; the files in the folder show which. */
record ControlGroup(Path path) implements MemoryLimit {
    private static final Logger LOG = LoggerFactory.getLogger(ControlGroup.class);
    /** The kernel removes a group only after it has reaped the last process. */
    private static final int REMOVAL_ATTEMPTS = 50;

    /** @throws IOException if this is no memory control group or is not writable */
    void limit(long bytes) throws IOException {
        String value = Long.toString(bytes);
        Path versionTwo = path.resolve("memory.max");
        if (Files.exists(versionTwo)) {
            Files.writeString(versionTwo, value);
            writeIfPresent("memory.swap.max", "0");
        } else {
            Files.writeString(path.resolve("memory.limit_in_bytes"), value);
            writeIfPresent("memory.memsw.limit_in_bytes", value);
        }
    }

    @Override
    public Optional<Path> folder() {
        return Optional.of(path);
    }

    @Override
    public Optional<Path> entrance() {
        return Optional.of(path.resolve("cgroup.procs"));
    }

    @Override
    public void attach(ProcessHandle process) {}

    @Override
    public boolean wasExceeded() {
        return kills("memory.events") > 0 || kills("memory.oom_control") > 0;
    }

    @Override
    public void close() {
        for (int attempt = 0; attempt < REMOVAL_ATTEMPTS && Files.isDirectory(path); attempt++) {
            try {
                for (String pid : Files.readAllLines(path.resolve("cgroup.procs"))) {
                    ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
                }
                Files.delete(path);
            } catch (IOException e) {
                pause();
            }
        }
        if (Files.isDirectory(path)) {
            LOG.warn("Could not remove the control group {}", path);
        }
    }

    private long kills(String file) {
        try {
            return Files.readAllLines(path.resolve(file)).stream()
                    .filter(line -> line.startsWith("oom_kill "))
                    .mapToLong(line -> Long.parseLong(line.substring("oom_kill ".length())))
                    .sum();
        } catch (IOException e) {
            return 0;
        }
    }

    private void writeIfPresent(String file, String value) throws IOException {
        if (Files.exists(path.resolve(file))) {
            Files.writeString(path.resolve(file), value);
        }
    }

    private static void pause() {
        try {
            Thread.sleep(10);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
