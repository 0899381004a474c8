package dev.berth.local.ecs;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * Options of a local ECS.
 *
 * @param port 0 to 65,535 on 127.0.0.1; 0 takes a free one. Adopted tasks find their metadata on
 *     the same port only
 * @param cluster the name of the cluster that has the hosts
 * @param stateDirectory tasks and task definitions, one JSON file each; created if absent
 * @param logDirectory stdout and stderr of each task as {@code task-<taskId>.log}; created if
 *     absent
 * @param hosts container instances at the start, 0 or more
 * @param hostCpuUnits of one container instance; 1,024 are a virtual CPU
 * @param hostMemoryMebibytes of one container instance
 * @param events the queue for task state changes; empty: none
 * @param memoryEnforcement how hard memory limits of processes are enforced
 * @param containers runs tasks as containers; empty: as processes
 */
@RecordBuilder
public record LocalEcsOptions(
        int port,
        String cluster,
        Path stateDirectory,
        Path logDirectory,
        int hosts,
        int hostCpuUnits,
        int hostMemoryMebibytes,
        Optional<EventQueue> events,
        MemoryEnforcement memoryEnforcement,
        Optional<ContainerOptions> containers)
        implements LocalEcsOptionsBuilder.With {

    /**
     * Containers by runc, as root.
     *
     * @param images a folder for each image, with {@code rootfs} and {@code image.json}
     * @param egress the ports of 127.0.0.1 that tasks reach, besides their metadata
     */
    public record ContainerOptions(Path images, Set<Integer> egress) {}

    /** An SQS queue. It may start after local ECS; events are buffered until then. */
    public record EventQueue(URI endpoint, String queueName) {
        public static EventQueue taskEventsAt(URI endpoint) {
            return new EventQueue(endpoint, "task-events");
        }
    }

    public enum MemoryEnforcement {
        /** A control group of the kernel if possible, else {@link #WATCHER}. */
        CONTROL_GROUP_IF_POSSIBLE,
        /** Reads the resident set size every 250 ms and kills processes over their limit. */
        WATCHER
    }

    public LocalEcsOptions {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port must be 0 to 65535, not " + port);
        }
        if (hosts < 0) {
            throw new IllegalArgumentException("hosts must not be negative: " + hosts);
        }
        if (hostCpuUnits <= 0 || hostMemoryMebibytes <= 0) {
            throw new IllegalArgumentException("a host needs CPU units and memory");
        }
        stateDirectory = stateDirectory.toAbsolutePath();
        logDirectory = logDirectory.toAbsolutePath();
    }

    /**
     * A free port, the cluster {@code default}, two hosts of 2,048 CPU units and 16 GiB, no events.
     */
    public static LocalEcsOptions in(Path stateDirectory, Path logDirectory) {
        return new LocalEcsOptions(
                0,
                "default",
                stateDirectory,
                logDirectory,
                2,
                2_048,
                16_384,
                Optional.empty(),
                MemoryEnforcement.CONTROL_GROUP_IF_POSSIBLE,
                Optional.empty());
    }

    public LocalEcsOptions withHosts(int count, int cpuUnits, int memoryMebibytes) {
        return withHosts(count).withHostCpuUnits(cpuUnits).withHostMemoryMebibytes(memoryMebibytes);
    }

    public LocalEcsOptions withEvents(EventQueue queue) {
        return withEvents(Optional.of(queue));
    }

    public LocalEcsOptions withContainers(ContainerOptions options) {
        return withContainers(Optional.of(options));
    }
}
