package dev.berth.acceptance.worker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The memory limit of a task's control group.
 *
 * @param group the directory of the group, version 1 or 2
 */
record TaskMemory(Path group) {
    private static final Path MOUNT = Path.of("/sys/fs/cgroup");
    private static final long SLACK_BYTES = 1_048_576;

    /** Empty where the local ECS watches the memory itself. */
    static Optional<TaskMemory> of(long pid, String taskId) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/cgroup"))) {
            return lines.filter(line -> line.contains(":memory:") || line.startsWith("0::"))
                    .filter(line -> line.contains(taskId))
                    .map(line -> line.contains(":memory:") ? below(MOUNT.resolve("memory"), line) : below(MOUNT, line))
                    .map(TaskMemory::new)
                    .findFirst();
        }
    }

    private static Path below(Path mount, String line) {
        return mount.resolve(line.substring(line.indexOf(":/") + 2));
    }

    long limit() throws IOException {
        return read(file("memory.max", "memory.limit_in_bytes"));
    }

    /** Lowers the limit to the current use plus one mebibyte. */
    void limitToCurrentUse() throws IOException {
        long use = read(file("memory.current", "memory.usage_in_bytes"));
        Files.writeString(file("memory.max", "memory.limit_in_bytes"), Long.toString(use + SLACK_BYTES));
    }

    private Path file(String versionTwo, String versionOne) {
        Path newer = group.resolve(versionTwo);
        return Files.exists(newer) ? newer : group.resolve(versionOne);
    }

    private static long read(Path file) throws IOException {
        return Long.parseLong(Files.readString(file).strip());
    }
}
