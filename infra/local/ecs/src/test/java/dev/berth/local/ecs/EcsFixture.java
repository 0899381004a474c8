package dev.berth.local.ecs;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.ecs.EcsClient;
import software.amazon.awssdk.services.ecs.model.ContainerDefinition;
import software.amazon.awssdk.services.ecs.model.RunTaskRequest;
import software.amazon.awssdk.services.ecs.model.RunTaskResponse;
import software.amazon.awssdk.services.ecs.model.Task;

/**
 * A local ECS in a folder of its own, and the AWS SDK's client for it. Closing checks that no
 * process is left.
 */
final class EcsFixture implements AutoCloseable {
    static final String CLUSTER = "tests";
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    final Path folder;
    final EcsClient client;
    private final Instant openedAt = Instant.now();
    private final LocalEcs ecs;

    EcsFixture(Path folder, UnaryOperator<LocalEcsOptions> change) {
        this.folder = folder;
        ecs = LocalEcs.start(change.apply(optionsIn(folder)));
        client = clientFor(ecs.port());
    }

    EcsFixture(Path folder) {
        this(folder, UnaryOperator.identity());
    }

    static LocalEcsOptions optionsIn(Path folder) {
        return LocalEcsOptions.in(folder.resolve("state"), folder.resolve("log"))
                .withCluster(CLUSTER);
    }

    static EcsClient clientFor(int port) {
        return EcsClient.builder()
                .endpointOverride(URI.create("http://127.0.0.1:" + port))
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
                .httpClient(UrlConnectionHttpClient.create())
                .build();
    }

    /**
     * Registers {@code /bin/sh -c script} as the container {@code main}: 64 CPU units, 32 MiB soft,
     * 128 MiB hard.
     */
    void define(String family, String script, UnaryOperator<ContainerDefinition.Builder> change) {
        client.registerTaskDefinition(register -> register.family(family)
                .containerDefinitions(change.apply(ContainerDefinition.builder()
                                .name("main")
                                .image("worker")
                                .command("/bin/sh", "-c", script)
                                .cpu(64)
                                .memoryReservation(32)
                                .memory(128)
                                .stopTimeout(2))
                        .build()));
    }

    void define(String family, String script) {
        define(family, script, UnaryOperator.identity());
    }

    RunTaskResponse run(String family, UnaryOperator<RunTaskRequest.Builder> change) {
        return client.runTask(
                change.apply(RunTaskRequest.builder().cluster(CLUSTER).taskDefinition(family))
                        .build());
    }

    String run(String family) {
        return run(family, UnaryOperator.identity()).tasks().getFirst().taskArn();
    }

    Task task(String arn) {
        return taskSeenBy(client, arn);
    }

    static Task taskSeenBy(EcsClient client, String arn) {
        return client.describeTasks(describe -> describe.cluster(CLUSTER).tasks(arn))
                .tasks()
                .getFirst();
    }

    Task awaitStatus(String arn, String status) {
        return awaitStatus(client, arn, status);
    }

    static Task awaitStatus(EcsClient client, String arn, String status) {
        return Awaitility.await()
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> taskSeenBy(client, arn), task -> status.equals(task.lastStatus()));
    }

    void stop(String arn) {
        client.stopTask(stop -> stop.cluster(CLUSTER).task(arn).reason("test"));
    }

    List<String> listed(String desiredStatus) {
        return client.listTasks(list -> list.cluster(CLUSTER).desiredStatus(desiredStatus))
                .taskArns();
    }

    /** The log of the task, once it contains {@code text}. */
    String awaitLog(String arn, String text) {
        return awaitLog(folder, arn, text);
    }

    static String awaitLog(Path folder, String arn, String text) {
        Path log = folder.resolve("log").resolve("task-" + Arn.shortId(arn) + ".log");
        return Awaitility.await()
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> Files.exists(log) ? Files.readString(log) : "", content -> content.contains(text));
    }

    static boolean lives(long pid) {
        return TaskProcess.living(pid, null, TaskProcess.SAME_START).isPresent();
    }

    /** PUTs to the control routes; returns the status. */
    int control(String path, String json) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + ecs.port() + "/_control/" + path))
                .PUT(HttpRequest.BodyPublishers.ofString(json))
                .build();
        return HTTP.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    @Override
    public void close() {
        ecs.close();
        client.close();
        Awaitility.await()
                .alias("no process is left")
                .atMost(PATIENCE)
                .until(() -> ProcessHandle.current().descendants().noneMatch(this::isOurs));
    }

    /** A dead orphan is no process: nothing reaps it in the JVM of the tests. */
    private boolean isOurs(ProcessHandle process) {
        return lives(process.pid())
                && process.info().startInstant().map(openedAt::isBefore).orElse(false);
    }
}
