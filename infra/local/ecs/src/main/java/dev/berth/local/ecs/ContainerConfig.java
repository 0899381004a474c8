package dev.berth.local.ecs;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes {@code config.json}, from which runc creates a container. What all containers have stands
 * in the resource {@code container.json}: a read-only root, no capability, no new privileges, own
 * namespaces, masked files. CPU units count for the placement alone, as those of processes: the
 * servers of this machine would leave a container of 64 units nothing.
 *
 * @param seccomp the filter of system calls
 */
record ContainerConfig(ObjectNode seccomp) {
    /** The limit for a Java process with a hundred threads; a fork bomb ends here. */
    static final int MOST_PROCESSES = 512;

    private static final long MEBIBYTE = 1_048_576;

    /**
     * @param bundle the container's folder
     * @param cgroup below the mount of each controller
     * @param network the network namespace; empty: this machine's
     */
    void write(
            Path bundle,
            TaskPlan plan,
            ContainerImage image,
            Map<String, String> environment,
            String cgroup,
            Optional<Path> network)
            throws IOException {
        ObjectNode config = template();
        String host = plan.id().substring(0, 12);
        config.put("hostname", host);
        ((ObjectNode) config.path("root")).put("path", image.root().toString());
        ObjectNode process = (ObjectNode) config.path("process");
        ((ObjectNode) process.path("user")).put("uid", image.uid()).put("gid", image.uid());
        process.set("args", EcsJson.texts(image.argv(plan)));
        process.set(
                "env",
                EcsJson.texts(environment.entrySet().stream()
                        .map(it -> it.getKey() + "=" + it.getValue())
                        .toList()));
        process.put("cwd", image.workingDirectory(plan));
        if (!plan.dumpsCore()) {
            process.putArray("rlimits")
                    .addObject()
                    .put("type", "RLIMIT_CORE")
                    .put("soft", 0)
                    .put("hard", 0);
        }
        Path hosts = bundle.resolve("hosts");
        Files.writeString(hosts, "127.0.0.1 localhost\n127.0.1.1 " + host + "\n");
        // Whatever the umask of this process: the container's user reads it.
        Files.setPosixFilePermissions(hosts, PosixFilePermissions.fromString("rw-r--r--"));
        ArrayNode mounts = (ArrayNode) config.path("mounts");
        bind(mounts, hosts.toString(), "/etc/hosts", true);
        plan.container().mounts().forEach(it -> bind(mounts, it.source(), it.path(), it.readOnly()));
        limit((ObjectNode) config.path("linux"), plan, cgroup, network);
        EcsJson.MAPPER.writeValue(bundle.resolve("config.json").toFile(), config);
    }

    private void limit(ObjectNode linux, TaskPlan plan, String cgroup, Optional<Path> network) {
        linux.put("cgroupsPath", cgroup);
        linux.set("seccomp", seccomp);
        ObjectNode resources = (ObjectNode) linux.path("resources");
        resources.putObject("pids").put("limit", MOST_PROCESSES);
        if (plan.size().hardMebibytes() > 0) {
            long bytes = plan.size().hardMebibytes() * MEBIBYTE;
            resources.putObject("memory").put("limit", bytes).put("swap", bytes);
        }
        network.ifPresent(path -> ((ArrayNode) linux.path("namespaces"))
                .addObject()
                .put("type", "network")
                .put("path", path.toString()));
    }

    private static void bind(ArrayNode mounts, String source, String path, boolean readOnly) {
        ObjectNode mount =
                mounts.addObject().put("destination", path).put("type", "bind").put("source", source);
        mount.set("options", EcsJson.texts(List.of("rbind", readOnly ? "ro" : "rw", "nosuid", "nodev")));
    }

    private static ObjectNode template() throws IOException {
        try (InputStream resource = ContainerConfig.class.getResourceAsStream("container.json")) {
            return (ObjectNode) EcsJson.MAPPER.readTree(resource);
        }
    }
}
