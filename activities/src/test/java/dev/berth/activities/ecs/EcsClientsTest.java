package dev.berth.activities.ecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.berth.activities.launch.LaunchCircuitBreaker;
import dev.berth.activities.launch.LaunchTarget;
import dev.berth.activities.launch.LaunchTargets;
import dev.berth.activities.launch.TaskLaunch;
import dev.berth.activities.launch.WorkerLauncher;
import dev.berth.activities.worker.LauncherWorkerTasks;
import dev.berth.activities.worker.StoppedTasks;
import dev.berth.routing.TestRedis;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.ecs.EcsClient;

/** ECS as it is when it is slow, throttles, or has no host yet. */
class EcsClientsTest {
    private static final Logger LOG = LoggerFactory.getLogger(EcsClientsTest.class);
    private static final String TASK = "arn:aws:ecs:eu-central-1:111122223333:task/berth/1";
    private static final Duration ATTEMPT = Duration.ofMillis(300);
    private static final Duration CALL = Duration.ofSeconds(8);

    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicInteger calls = new AtomicInteger();
    private final HttpServer server = start();

    private static HttpServer start() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            server.start();
            return server;
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @AfterEach
    void stop() {
        end.countDown();
        server.stop(0);
    }

    private EcsClient client(Duration attempt, Duration call) {
        return EcsClients.bounded(EcsClient.builder(), attempt, call)
                .endpointOverride(
                        URI.create("http://127.0.0.1:" + server.getAddress().getPort()))
                .region(Region.EU_CENTRAL_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("key", "secret")))
                .httpClient(UrlConnectionHttpClient.create())
                .build();
    }

    /** Answers with this body. */
    private void answer(String body) {
        answerAfterFailure(0, "", body);
    }

    /** Answers with this body from the second call on; 0: from the first. */
    private void answerAfterFailure(int status, String failure, String body) {
        server.createContext("/", exchange -> {
            boolean fails = status > 0 && calls.incrementAndGet() == 1;
            byte[] answer = (fails ? failure : body).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(fails ? status : 200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
    }

    @Test
    @Tag("X22")
    @DisplayName("A call of ECS that is not answered ends by its own time-out, not by the caller's")
    void hangingCallEnds() {
        server.createContext("/", _ -> {
            calls.incrementAndGet();
            try {
                end.await();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        });
        Instant before = Instant.now();
        try (EcsClient ecs = client(ATTEMPT, Duration.ofSeconds(1))) {
            assertThatThrownBy(() -> ecs.describeTasks(describe -> describe.tasks(TASK)))
                    .isInstanceOf(ApiCallTimeoutException.class);
        }
        Duration took = Duration.between(before, Instant.now());
        LOG.warn("a hanging call with a limit of 1 s ended after {} ms", took.toMillis());
        assertThat(took).isLessThan(Duration.ofSeconds(4));
        assertThat(calls.get()).isGreaterThan(1);
    }

    @ParameterizedTest
    @Tag("X22")
    @CsvSource({"400,ThrottlingException", "500,ServerException", "503,ServiceUnavailable"})
    @DisplayName("A call of ECS that is throttled or fails is repeated after a pause, and then succeeds")
    void failedCallIsRepeated(int status, String failure) {
        answerAfterFailure(status, "{\"__type\":\"" + failure + "\"}", "{\"tasks\":[],\"failures\":[]}");
        Instant before = Instant.now();
        try (EcsClient ecs = client(CALL, CALL)) {
            assertThat(ecs.describeTasks(describe -> describe.tasks(TASK)).tasks())
                    .isEmpty();
        }
        LOG.warn(
                "{}: answered after {} ms",
                failure,
                Duration.between(before, Instant.now()).toMillis());
        assertThat(calls).hasValue(2);
    }

    @Test
    @Tag("A4")
    @DisplayName("The time of a launch counts from the host that has the task")
    void timeOfLaunchCountsFromHost() {
        InstantSource noon = InstantSource.fixed(Instant.parse("2026-01-05T12:00:00Z"));
        assertThat(timeLeft(noon, "\"lastStatus\":\"PROVISIONING\"")).isEqualTo(Duration.ofSeconds(90));
        double placed = noon.instant().minusSeconds(60).getEpochSecond();
        assertThat(timeLeft(noon, "\"lastStatus\":\"PENDING\",\"createdAt\":" + placed))
                .isEqualTo(Duration.ofSeconds(30));
        placed = noon.instant().minusSeconds(100).getEpochSecond();
        assertThat(timeLeft(noon, "\"lastStatus\":\"PENDING\",\"createdAt\":" + placed))
                .isZero();
    }

    private Duration timeLeft(InstantSource clock, String task) {
        answer("{\"tasks\":[{\"taskArn\":\"" + TASK + "\"," + task + "}]}");
        try (EcsClient ecs = client(CALL, CALL)) {
            LaunchTarget requests = new LaunchTarget("berth", "berth-worker");
            LaunchCircuitBreaker circuit = new LaunchCircuitBreaker(redis.commands(), Duration.ofSeconds(30), clock);
            WorkerLauncher launcher = new EcsLauncher(ecs, LaunchTargets.of(requests));
            TaskLaunch launch = new TaskLaunch(launcher, circuit);
            return new LauncherWorkerTasks(launcher, requests, launch, new StoppedTasks(redis.commands()), clock)
                    .startTimeLeft(TASK, Duration.ofSeconds(90));
        } finally {
            server.removeContext("/");
        }
    }
}
