package dev.berth.local.ecs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates memory control groups. The parent is the group of this process if it is visible, so that
 * the limits of this process also hold for the tasks; else the mount point, as in a container.
 */
record ControlGroups(Path parent) {
    private static final Logger LOG = LoggerFactory.getLogger(ControlGroups.class);
    private static final Path MOUNT = Path.of("/sys/fs/cgroup");
    private static final long MEBIBYTE = 1_048_576;

    static Optional<ControlGroups> find() {
        return candidates()
                .map(ControlGroups::new)
                .filter(groups ->
                        groups.make("probe", 16).map(ControlGroups::removed).orElse(false))
                .findFirst();
    }

    /** The group that a container of this task has. */
    ControlGroup of(String taskId) {
        return new ControlGroup(parent.resolve("local-ecs-" + taskId));
    }

    /** The same below the mount of each controller, as runc wants it. */
    String below(String taskId) {
        Path versionOne = MOUNT.resolve("memory");
        Path mount = parent.startsWith(versionOne) ? versionOne : MOUNT;
        return "/" + mount.relativize(of(taskId).path());
    }

    /** Empty if the kernel refuses; logs the reason. */
    Optional<ControlGroup> make(String taskId, int mebibytes) {
        ControlGroup group = new ControlGroup(
                parent.resolve("local-ecs-" + ProcessHandle.current().pid() + "-" + taskId));
        try {
            Files.createDirectory(group.path());
            group.limit(mebibytes * MEBIBYTE);
            return Optional.of(group);
        } catch (IOException e) {
            LOG.debug("No memory control group at {}: {}", group.path(), e.toString());
            group.close();
            return Optional.empty();
        }
    }

    private static boolean removed(ControlGroup probe) {
        probe.close();
        return true;
    }

    private static Stream<Path> candidates() {
        Path versionOne = MOUNT.resolve("memory");
        if (Files.isDirectory(versionOne)) {
            return Stream.of(own(versionOne, ":memory:"), versionOne).filter(Files::isWritable);
        }
        return Stream.of(own(MOUNT, "0::"), MOUNT).filter(ControlGroups::hasMemoryForChildren);
    }

    /** Version 2 limits children only if the group delegates the memory controller. */
    private static boolean hasMemoryForChildren(Path group) {
        try {
            return Files.readString(group.resolve("cgroup.subtree_control")).contains("memory");
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * The group of this process below {@code mount}, by its line in /proc; else the mount itself.
     */
    private static Path own(Path mount, String marker) {
        try {
            List<String> lines = Files.readAllLines(Path.of("/proc/self/cgroup"));
            return lines.stream()
                    .filter(line -> line.contains(marker))
                    .map(line -> mount.resolve(line.substring(line.indexOf(":/") + 2)))
                    .filter(Files::isDirectory)
                    .findFirst()
                    .orElse(mount);
        } catch (IOException e) {
            return mount;
        }
    }
}
