package dev.berth.activities;

import dev.berth.activities.ecs.RunTaskRequests;
import dev.berth.activities.ecs.TestEcsConnection;
import dev.berth.workflows.Checkout;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import software.amazon.awssdk.services.ecs.EcsClient;
import software.amazon.awssdk.services.ecs.model.ContainerDefinition;
import software.amazon.awssdk.services.kms.KmsClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * ECS, SQS and KMS as the Python package moto knows them, until closed. The standard settings of
 * the AWS SDK lead to it meanwhile. One server serves all tests of a JVM; each finds it empty.
 */
public final class TestMoto implements AutoCloseable {
    private static final Path MODULE = Checkout.ROOT.resolve("activities");
    private static final Duration START = Duration.ofSeconds(60);
    private static final Pattern ADDRESS = Pattern.compile("Running on (http://[\\d.:]+)");
    private static final Pattern INSTANCE = Pattern.compile("<instanceId>([^<]+)</instanceId>");
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final FutureTask<URI> SERVER = new FutureTask<>(TestMoto::run);

    private final URI server;
    private final Map<String, String> settings;
    private final EcsClient ecs;
    private final SqsClient sqs;
    private final KmsClient kms;

    private TestMoto(URI server) {
        this.server = server;
        settings = Map.of(
                "aws.endpointUrl", server.toString(),
                "aws.region", "us-east-1",
                "aws.accessKeyId", "test",
                "aws.secretAccessKey", "test");
        settings.forEach(System::setProperty);
        ecs = TestEcsConnection.client();
        sqs = SqsClient.create();
        kms = KmsClient.create();
    }

    /** Aborts the test when pip cannot install moto. */
    public static TestMoto start() throws IOException, InterruptedException {
        SERVER.run();
        try {
            URI server = SERVER.get();
            post(server.resolve("/moto-api/reset"), "");
            return new TestMoto(server);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(failed.getCause());
        }
    }

    /** The packages of moto, boto3 among them. */
    static PythonEnvironment python() throws IOException, InterruptedException {
        return PythonEnvironment.ofOrAbort(
                MODULE.resolve("target/moto-venv"), MODULE.resolve("src/test/resources/moto.txt"));
    }

    private static URI run() throws IOException, InterruptedException {
        String program = python().program("moto_server");
        Path log = Files.createTempFile(Path.of("target"), "moto-", ".log");
        Process process = new ProcessBuilder(program, "-H", "127.0.0.1", "-p", "0")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        URI server = Awaitility.await("moto starts, see " + log)
                .atMost(START)
                .until(() -> address(log), Optional::isPresent)
                .orElseThrow();
        // By itself moto moves a task to its next status each time that the task is described.
        post(
                server.resolve("/moto-api/state-manager/set-transition"),
                "{\"model_name\":\"ecs::task\",\"transition\":{\"progression\":\"manual\",\"times\":1000000}}");
        // The first call of a service loads it: longer than a call of the product may take.
        send(HttpRequest.newBuilder(server)
                .header("Authorization", signature("ecs"))
                .header("Content-Type", "application/x-amz-json-1.1")
                .header("X-Amz-Target", "AmazonEC2ContainerServiceV20141113.ListClusters")
                .POST(BodyPublishers.ofString("{}")));
        return server;
    }

    private static Optional<URI> address(Path log) throws IOException {
        return ADDRESS.matcher(Files.readString(log))
                .results()
                .map(line -> URI.create(line.group(1)))
                .findFirst();
    }

    public EcsClient ecs() {
        return ecs;
    }

    public SqsClient sqs() {
        return sqs;
    }

    public KmsClient kms() {
        return kms;
    }

    /** Makes the cluster, with hosts of 4,096 CPU units and 7,482 MiB each. */
    public void createCluster(String cluster, int hosts) throws IOException, InterruptedException {
        ecs.createCluster(create -> create.clusterName(cluster));
        String started = send(HttpRequest.newBuilder(server)
                .header("Authorization", signature("ec2"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("Action=RunInstances&Version=2016-11-15&ImageId=ami-12c6146b&MinCount="
                        + hosts + "&MaxCount=" + hosts)));
        for (MatchResult instance : INSTANCE.matcher(started).results().toList()) {
            String document = "{\"instanceId\":\"" + instance.group(1) + "\"}";
            ecs.registerContainerInstance(register -> register.cluster(cluster).instanceIdentityDocument(document));
        }
    }

    /** A worker of 1,024 MiB. */
    public void defineWorker() {
        ContainerDefinition worker = ContainerDefinition.builder()
                .name(RunTaskRequests.CONTAINER)
                .image("worker")
                .cpu(64)
                .memoryReservation(1_024)
                .memory(1_024)
                .build();
        ecs.registerTaskDefinition(register -> register.family("worker").containerDefinitions(worker));
    }

    private static void post(URI address, String body) throws IOException, InterruptedException {
        send(HttpRequest.newBuilder(address).POST(BodyPublishers.ofString(body)));
    }

    private static String send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return HTTP.send(request.build(), BodyHandlers.ofString()).body();
    }

    @Override
    public void close() {
        settings.keySet().forEach(System::clearProperty);
        ecs.close();
        sqs.close();
        kms.close();
    }

    private static String signature(String service) {
        return "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/" + service
                + "/aws4_request, SignedHeaders=host, Signature=0";
    }
}
