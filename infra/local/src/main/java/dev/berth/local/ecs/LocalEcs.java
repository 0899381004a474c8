package dev.berth.local.ecs;

import io.javalin.Javalin;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/**
 * Amazon ECS on this machine, for tests and for the local stack: the AWS SDK and boto3 work against it, and every task is
 * a process. Killed, it leaves its tasks running; started again on the same state directory it takes them over.
 */
public final class LocalEcs implements AutoCloseable {
    private final Optional<EventSender> sender;
    private final MemoryLimits limits;
    private final Control control;
    private final Agent agent;
    private final Javalin server;

    private LocalEcs(LocalEcsOptions options) {
        sender = options.events().map(EventSender::new);
        limits = new MemoryLimits(options.memoryEnforcement());
        Programs programs = new Programs(options);
        Hosts hosts = new Hosts(options);
        StateChanges changes = new StateChanges(event -> sender.ifPresent(it -> it.send(event)), () -> faults());
        Ledger ledger =
                new Ledger(new JsonFiles(options.stateDirectory().resolve("tasks")), InstantSource.system(), changes);
        control = new Control(hosts, ledger);
        agent = new Agent(ledger, programs, limits, control::faults, this::port);
        Wire wire = new Wire(operations(options, hosts, ledger), new Metadata(ledger), control::faults);
        server = Javalin.create(config -> {
            config.startup.showJavalinBanner = false;
            config.startup.showOldJavalinVersionWarning = false;
            wire.addTo(config.routes);
            control.addTo(config.routes);
        });
        bind(options.port());
        new Adoption(ledger, agent, programs, limits).run();
    }

    /**
     * Ready when it returns: the port answers, and tasks of an earlier run are adopted. A port that is taken is a {@link
     * RuntimeException}, and nothing was touched.
     */
    public static LocalEcs start(LocalEcsOptions options) {
        return new LocalEcs(options);
    }

    /** On 127.0.0.1. */
    public int port() {
        return server.port();
    }

    /**
     * Stops every task (SIGTERM, its stop time-out, SIGKILL) and then itself; no process stays. Takes as long as the
     * slowest task.
     */
    @Override
    public void close() {
        server.stop();
        control.clearFaults();
        agent.close();
        limits.close();
        sender.ifPresent(EventSender::close);
    }

    /** Before tasks are adopted: the port also keeps a second local ECS away from the same tasks. */
    private void bind(int port) {
        try {
            server.start("127.0.0.1", port);
        } catch (RuntimeException e) {
            limits.close();
            sender.ifPresent(EventSender::close);
            throw e;
        }
    }

    private Faults faults() {
        return control.faults();
    }

    private Map<String, Wire.Operation> operations(LocalEcsOptions options, Hosts hosts, Ledger ledger) {
        Clusters clusters = new Clusters(ledger, hosts);
        TaskDefinitions definitions =
                new TaskDefinitions(new JsonFiles(options.stateDirectory().resolve("task-definitions")));
        RunTask run = new RunTask(clusters, definitions, hosts, ledger, agent);
        StopTask stop = new StopTask(clusters, ledger, agent, control::faults, control::phantoms);
        ReadTasks read = new ReadTasks(clusters, ledger, control::faults, control::phantoms);
        ContainerInstances instances = new ContainerInstances(clusters, hosts, ledger);
        return Map.ofEntries(
                Map.entry("CreateCluster", clusters::create),
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
                Map.entry("UpdateContainerInstancesState", instances::updateState));
    }
}
