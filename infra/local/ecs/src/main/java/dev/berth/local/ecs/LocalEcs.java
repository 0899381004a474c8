package dev.berth.local.ecs;

import io.javalin.Javalin;
import io.javalin.config.RoutesConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Amazon ECS on this machine, for tests and local development: the AWS SDK and boto3 work against
 * it, and every task is a process or a container. Tasks survive a kill of local ECS; the next start
 * on the same state directory adopts them.
 */
public final class LocalEcs implements AutoCloseable {
    private final Optional<EventSender> sender;
    private final MemoryLimits limits;
    private final EcsControl control;
    private final Agent agent;
    private final HostRemoval removal;
    private final TaskRuntime runtime;
    private final Javalin metadataServer;
    private final Javalin server;

    private LocalEcs(LocalEcsOptions options) throws IOException {
        sender = options.events().map(EventSender::new);
        limits = new MemoryLimits(options.memoryEnforcement());
        Hosts hosts = new Hosts(options);
        StateChanges changes = new StateChanges(event -> sender.ifPresent(it -> it.send(event)), () -> faults());
        TaskLedger ledger = new TaskLedger(
                new JsonFiles(options.stateDirectory().resolve("tasks")), InstantSource.system(), changes);
        Metadata metadata =
                new Metadata(ledger, new PidFiles(options.stateDirectory().resolve("pids")));
        metadataServer = serverOf(metadata::addTo);
        runtime = runtime(options);
        agent = new Agent(ledger, runtime, this::faults, this::port);
        removal = new HostRemoval(hosts, ledger, agent);
        control = new EcsControl(options.cluster(), hosts, ledger, removal);
        AwsJsonProtocol wire = new AwsJsonProtocol(operations(options, hosts, ledger), this::faults);
        server = serverOf(routes -> {
            wire.addTo(routes);
            metadata.addTo(routes);
            control.addTo(routes);
        });
        bind(options.port());
        new TaskAdoption(ledger, agent, runtime, limits).run();
    }

    /**
     * Starts and returns when the port accepts calls and the tasks of an earlier run are adopted.
     *
     * @throws RuntimeException if the port is in use, or containers are not possible here; no task
     *     was touched
     */
    public static LocalEcs start(LocalEcsOptions options) {
        try {
            return new LocalEcs(options);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** On 127.0.0.1. */
    public int port() {
        return server.port();
    }

    /**
     * Stops every task (SIGTERM, its stop time-out, SIGKILL) and then the server. Takes as long as
     * the slowest task and leaves no process.
     */
    @Override
    public void close() {
        server.stop();
        control.clearFaults();
        removal.noticeAll();
        agent.close();
        runtime.close();
        metadataServer.stop();
        limits.close();
        sender.ifPresent(EventSender::close);
    }

    /** Must precede the adoption: the port keeps a second local ECS away from the same tasks. */
    private void bind(int port) {
        try {
            server.start("127.0.0.1", port);
        } catch (RuntimeException e) {
            metadataServer.stop();
            limits.close();
            sender.ifPresent(EventSender::close);
            throw e;
        }
    }

    /** Containers reach the metadata alone, at a port of its own. */
    private TaskRuntime runtime(LocalEcsOptions options) throws IOException {
        if (options.containers().isEmpty()) {
            return new Programs(options, limits);
        }
        metadataServer.start("127.0.0.1", 0);
        return new Containers(options, options.containers().get(), metadataServer.port());
    }

    private static Javalin serverOf(Consumer<RoutesConfig> routes) {
        return Javalin.create(config -> {
            config.startup.showJavalinBanner = false;
            config.startup.showOldJavalinVersionWarning = false;
            routes.accept(config.routes);
        });
    }

    private EcsFaults faults() {
        return control.faults();
    }

    private Map<String, AwsJsonProtocol.Operation> operations(LocalEcsOptions options, Hosts hosts, TaskLedger ledger) {
        Clusters clusters = new Clusters(options.cluster(), ledger, hosts);
        TaskDefinitions definitions = new TaskDefinitions(
                new JsonFiles(options.stateDirectory().resolve("task-definitions")),
                options.containers().isPresent());
        RunTask run = new RunTask(clusters, definitions, hosts, ledger, agent);
        StopTask stop = new StopTask(clusters, ledger, agent, control::faults, control::phantoms);
        ReadTasks read = new ReadTasks(clusters, ledger, control::faults, control::phantoms);
        ContainerInstances instances = new ContainerInstances(clusters, hosts, ledger, removal);
        return Map.ofEntries(
                Map.entry("CreateCluster", clusters::create),
                Map.entry("ListClusters", clusters::list),
                Map.entry("DescribeClusters", clusters::describe),
                Map.entry("RegisterTaskDefinition", definitions::register),
                Map.entry("DescribeTaskDefinition", definitions::describe),
                Map.entry("ListTaskDefinitions", definitions::list),
                Map.entry("RunTask", run::answer),
                Map.entry("StopTask", stop::answer),
                Map.entry("ListTasks", read::list),
                Map.entry("DescribeTasks", read::describe),
                Map.entry("ListContainerInstances", instances::list),
                Map.entry("DescribeContainerInstances", instances::describe),
                Map.entry("UpdateContainerInstancesState", instances::updateState),
                Map.entry("DeregisterContainerInstance", instances::deregister));
    }
}
