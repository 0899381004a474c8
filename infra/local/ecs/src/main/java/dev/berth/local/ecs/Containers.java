package dev.berth.local.ecs;

import dev.berth.local.ecs.LocalEcsOptions.ContainerOptions;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs each task as a container by runc, as root: all on the one read-only file system of their
 * image. A container's id is that of its task.
 */
final class Containers implements TaskRuntime {
    private static final Logger LOG = LoggerFactory.getLogger(Containers.class);
    private static final File DEV_NULL = new File("/dev/null");
    private static final String METADATA = "http://169.254.170.2";

    private final ContainerOptions options;
    private final Path bundles;
    private final Path logs;
    private final String runcRoot;
    private final PidFiles pids;
    private final ControlGroups groups;
    private final ContainerConfig config;
    private final ContainerNetworks networks;

    /**
     * @param metadataPort the listener that serves the metadata and nothing else
     * @throws IOException if a program or a right is missing
     */
    Containers(LocalEcsOptions ecs, ContainerOptions options, int metadataPort) throws IOException {
        this.options = options;
        bundles = Files.createDirectories(ecs.stateDirectory().resolve("bundles"));
        logs = Files.createDirectories(ecs.logDirectory());
        runcRoot = ecs.stateDirectory().resolve("runc").toString();
        pids = new PidFiles(ecs.stateDirectory().resolve("pids"));
        groups = ControlGroups.find().orElseThrow(() -> new IOException("no memory control group can be made here"));
        config = new ContainerConfig(SeccompProfile.read());
        ChildProcesses.adoptOrphans();
        networks = new ContainerNetworks(
                ecs.port() == 0 ? metadataPort : ecs.port(), metadataPort, options.egress(), usedNamespaces());
    }

    @Override
    public MemoryLimit limit(TaskPlan plan) {
        return groups.of(plan.id());
    }

    @Override
    public Started start(TaskPlan plan, MemoryLimit limit, int metadataPort) throws IOException {
        ContainerImage image = ContainerImage.find(options.images(), plan.image());
        Path bundle = Files.createDirectories(bundles.resolve(plan.id()));
        try {
            Optional<Path> network = plan.container().usesHostNetwork() ? Optional.empty() : Optional.of(take(bundle));
            Map<String, String> environment = image.environment();
            environment.putAll(
                    Programs.ecsVariables(plan, network.isPresent() ? METADATA : "http://127.0.0.1:" + metadataPort));
            config.write(bundle, plan, image, environment, groups.below(plan.id()), network);
            create(plan, bundle);
            int pid = Math.toIntExact(pids.read(plan.id()).orElseThrow(() -> new IOException("no process id")));
            Started started = new Started(ProcessHandle.of(pid).orElseThrow(), ChildProcesses.exitCode(pid));
            HostCommand.run(runc("start", plan.id()));
            return started;
        } catch (IOException e) {
            remove(plan.id());
            throw new IOException("CannotStartContainerError: " + e.getMessage(), e);
        }
    }

    /** The container exists, and its program does not run yet. */
    private void create(TaskPlan plan, Path bundle) throws IOException {
        Path errors = bundle.resolve("runc.log");
        List<String> command = List.of(
                "runc",
                "--root",
                runcRoot,
                "--log",
                errors.toString(),
                "create",
                "--bundle",
                bundle.toString(),
                "--pid-file",
                pids.of(plan.id()).toString(),
                plan.id());
        Process runc = new ProcessBuilder(command)
                .redirectInput(DEV_NULL)
                .redirectErrorStream(true)
                .redirectOutput(logs.resolve("task-" + plan.id() + ".log").toFile())
                .start();
        try {
            HostCommand.await(runc, command, "");
        } catch (IOException e) {
            throw new IOException(e.getMessage() + Files.readString(errors).strip(), e);
        }
    }

    @Override
    public OptionalLong pidOf(String taskId) {
        return pids.read(taskId);
    }

    @Override
    public void remove(String taskId) {
        Path bundle = bundles.resolve(taskId);
        if (!Files.isDirectory(bundle)) {
            return;
        }
        try {
            HostCommand.run(runc("delete", "--force", taskId));
        } catch (IOException e) {
            LOG.debug("runc does not know {}", taskId, e);
        }
        namespace(bundle).ifPresent(networks::remove);
        pids.delete(taskId);
        try (Stream<Path> files = Files.list(bundle)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
            Files.delete(bundle);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        networks.close();
    }

    private List<String> runc(String... arguments) {
        return Stream.concat(Stream.of("runc", "--root", runcRoot), Stream.of(arguments))
                .toList();
    }

    /** On disk before the container exists, so that a restart does not give it to another. */
    private Path take(Path bundle) throws IOException {
        Path namespace = networks.take();
        Files.writeString(bundle.resolve("network"), namespace.toString());
        return namespace;
    }

    private static Optional<Path> namespace(Path bundle) {
        try {
            return Optional.of(Path.of(Files.readString(bundle.resolve("network"))));
        } catch (IOException hostNetwork) {
            return Optional.empty();
        }
    }

    private Set<Path> usedNamespaces() throws IOException {
        try (Stream<Path> folders = Files.list(bundles)) {
            return folders.flatMap(bundle -> namespace(bundle).stream()).collect(Collectors.toSet());
        }
    }
}
