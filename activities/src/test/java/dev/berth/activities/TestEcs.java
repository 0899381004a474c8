package dev.berth.activities;

import dev.berth.activities.ecs.EcsConnection;
import dev.berth.activities.ecs.RunTaskRequests;
import dev.berth.activities.ecs.TestEcsConnection;
import dev.berth.activities.launch.LaunchTarget;
import dev.berth.activities.launch.WorkerHosts;
import dev.berth.activities.launch.WorkerLauncher;
import dev.berth.local.ecs.LocalEcs;
import dev.berth.local.ecs.LocalEcsOptions;
import dev.berth.workflows.worker.TaskArns;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.util.FileSystemUtils;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.ecs.EcsClient;
import software.amazon.awssdk.services.ecs.EcsClientBuilder;
import software.amazon.awssdk.services.ecs.model.ContainerDefinition;
import software.amazon.awssdk.services.ecs.model.ContainerOverride;
import software.amazon.awssdk.services.ecs.model.KeyValuePair;
import software.amazon.awssdk.services.ecs.model.StopTaskRequest;
import software.amazon.awssdk.services.ecs.model.Task;

/**
 * A local ECS until the end of a test, with hosts that have room for two workers each; a worker is
 * a program that only waits.
 */
public final class TestEcs implements AfterEachCallback {
    /** Ends at once when it is told to. */
    public static final String OBEDIENT = "exec sleep 600";
    /** Has to be killed, once it is ready. */
    public static final String STUBBORN = "trap '' TERM; echo ready; while true; do sleep 0.1; done";

    /** As {@link #OBEDIENT}, and writes its process id. */
    public static final String TELLS_PID = "echo $$; exec sleep 600";

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final String CLUSTER = "berth";
    private static final int STOP_SECONDS = 1;

    private final Path folder;
    private final LocalEcs server;
    private final EcsClient client;

    /** One host. */
    public TestEcs() {
        this(1);
    }

    /** Each host has room for two workers. */
    public TestEcs(int hosts) {
        try {
            folder = Files.createTempDirectory("ecs-");
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
        server = LocalEcs.start(LocalEcsOptions.in(folder.resolve("state"), folder.resolve("log"))
                .withCluster(CLUSTER)
                .withHosts(hosts, 1024, 100));
        client = clientOf(server).build();
    }

    private static EcsClientBuilder clientOf(LocalEcs server) {
        return EcsClient.builder()
                .endpointOverride(endpoint(server))
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
                .httpClient(UrlConnectionHttpClient.create());
    }

    private static URI endpoint(LocalEcs server) {
        return URI.create("http://127.0.0.1:" + server.port());
    }

    URI endpoint() {
        return endpoint(server);
    }

    /**
     * Requests for workers that run {@code script}; called again, the family gets another revision.
     */
    public LaunchTarget workersRunning(String script) {
        return define("/bin/sh", "-c", script);
    }

    /** Requests for workers that cannot start. */
    public LaunchTarget workersThatCanNotStart() {
        return define("/no/such/program");
    }

    private LaunchTarget define(String... command) {
        ContainerDefinition container = ContainerDefinition.builder()
                .name(RunTaskRequests.CONTAINER)
                .image("worker")
                .command(command)
                .cpu(64)
                .memoryReservation(50)
                .memory(100)
                .stopTimeout(STOP_SECONDS)
                .build();
        client.registerTaskDefinition(definition -> definition.family("worker").containerDefinitions(container));
        return new LaunchTarget(CLUSTER, "worker");
    }

    /** Returns the ARN when the task runs. */
    public String run(LaunchTarget requests, String userId) {
        KeyValuePair variable =
                KeyValuePair.builder().name("BERTH_USER_ID").value(userId).build();
        ContainerOverride override = ContainerOverride.builder()
                .name(RunTaskRequests.CONTAINER)
                .environment(variable)
                .build();
        String arn = client.runTask(run -> run.cluster(requests.cluster())
                        .taskDefinition(requests.taskDefinition())
                        .overrides(with -> with.containerOverrides(override)))
                .tasks()
                .getFirst()
                .taskArn();
        awaitRunning(arn);
        return arn;
    }

    public EcsClient client() {
        return client;
    }

    public WorkerLauncher launcher() {
        return connection().launcher();
    }

    public WorkerHosts hosts() {
        return connection().hosts();
    }

    private EcsConnection connection() {
        return TestEcsConnection.of(client, new LaunchTarget(CLUSTER, "worker"));
    }

    /** One whose stops ECS refuses, since their reasons grow too long on the way. */
    public EcsClient clientThatCanNotStop() {
        ExecutionInterceptor lengthens = new ExecutionInterceptor() {
            @Override
            public SdkRequest modifyRequest(Context.ModifyRequest context, ExecutionAttributes attributes) {
                return context.request() instanceof StopTaskRequest stop
                        ? stop.toBuilder().reason("a".repeat(256)).build()
                        : context.request();
            }
        };
        return clientOf(server)
                .overrideConfiguration(with -> with.addExecutionInterceptor(lengthens))
                .build();
    }

    public Task task(String arn) {
        return client.describeTasks(describe -> describe.cluster(CLUSTER).tasks(arn))
                .tasks()
                .getFirst();
    }

    /** Returns when a stubborn task does not hear SIGTERM any more. */
    public void awaitStubborn(String arn) {
        Path log = logOf(arn);
        Awaitility.await()
                .until(() -> Files.exists(log) && Files.readString(log).contains("ready"));
    }

    private Path logOf(String arn) {
        return folder.resolve("log").resolve("task-" + TaskArns.id(arn) + ".log");
    }

    public List<String> runningTasks() {
        return client.listTasks(list -> list.cluster(CLUSTER)).taskArns();
    }

    public void awaitRunning(String arn) {
        Awaitility.await().until(() -> task(arn).lastStatus().equals("RUNNING"));
    }

    public void removeHosts() throws IOException, InterruptedException {
        control("capacity", "{\"hosts\":0}");
    }

    /** No call knows the task any more; its process runs on. */
    public void forget(String arn) throws IOException, InterruptedException {
        control("faults", "{\"forgotten\":[\"" + TaskArns.id(arn) + "\"]}");
    }

    /** ECS calls the tasks of this one's host stopped; their processes run on. */
    public void deregisterHostOf(String arn) {
        String host = task(arn).containerInstanceArn();
        client.deregisterContainerInstance(
                it -> it.cluster(CLUSTER).containerInstance(host).force(true));
    }

    /** The processes of this task's host are killed, and ECS notices it at once. */
    public void terminateHostOf(String arn) throws IOException, InterruptedException {
        String host = task(arn).containerInstanceArn();
        control("termination", "{\"containerInstance\":\"" + host + "\",\"noticedAfterMillis\":0}");
        Awaitility.await().until(() -> task(arn).lastStatus().equals("STOPPED"));
    }

    /** Tasks are pending for so long before their process is started. */
    public void startLate(Duration delay) throws IOException, InterruptedException {
        control("faults", "{\"runTaskDelayMillis\":" + delay.toMillis() + "}");
    }

    /**
     * Whether a process of a task that writes its id first lives, also where ECS knows nothing more
     * of it.
     */
    public boolean lives(String arn) throws IOException {
        Path log = logOf(arn);
        Awaitility.await()
                .until(() -> Files.exists(log) && Files.readString(log).endsWith("\n"));
        long pid = Long.parseLong(Files.readString(log).strip());
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    /** A stop is taken, and nothing comes of it, as on a host that is cut off; or no more. */
    public void ignoreStop(boolean ignore) throws IOException, InterruptedException {
        control("faults", "{\"ignoreStop\":" + ignore + "}");
    }

    /**
     * So many running tasks of the workers' family are listed beside the real ones: see
     * {@link #phantom}.
     */
    public void phantoms(int count) throws IOException, InterruptedException {
        control("phantoms", "{\"count\":" + count + ",\"family\":\"worker\"}");
    }

    /** Its task id. */
    public static String phantom(int number) {
        return String.format(Locale.ROOT, "phantom%08d", number);
    }

    private void control(String what, String body) throws IOException, InterruptedException {
        HTTP.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/_control/" + what))
                        .PUT(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.discarding());
    }

    @Override
    public void afterEach(ExtensionContext test) {
        client.close();
        server.close();
        FileSystemUtils.deleteRecursively(folder.toFile());
    }
}
