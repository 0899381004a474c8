package dev.berth.local;

import dev.berth.local.ecs.LocalEcs;
import dev.berth.local.ecs.LocalEcsOptions;
import dev.berth.local.ecs.LocalEcsOptions.EventQueue;
import dev.berth.local.venue.PaperVenue;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * One server of the local stack, as a process of its own: {@code postgres, redis, sqs, ecs} or {@code venue}; or
 * {@code token USER SCOPE}, which prints one, or {@code train}, which makes the workers' class archive. Each ends by SIGTERM and keeps its data under the stack's folder.
 */
public final class LocalServer {
    private static final Duration TOKEN_LIFE = Duration.ofHours(24);
    /** What of this process's environment is meant for the workers. */
    private static final List<String> WORKER_SETTINGS = List.of(
            "BERTH_ORDER_SLOTS",
            "BERTH_SESSION_PING",
            "BERTH_SUBMIT_LIMIT",
            "BERTH_CALL_LIMIT",
            "BERTH_HUNG_AFTER",
            "BERTH_IDLE_AFTER");

    private final Map<String, String> environment;
    private final Path home;

    private LocalServer(Map<String, String> environment) {
        this.environment = environment;
        this.home = Path.of(required("BERTH_HOME"));
    }

    /** Runs until it is ended. */
    static void main(String[] arguments) throws Exception {
        LocalServer server = new LocalServer(System.getenv());
        String name = arguments.length == 0 ? "" : arguments[0];
        Logger.getLogger("").setLevel(Level.WARNING);
        switch (name) {
            case "postgres" -> LocalPostgres.start(server.port("POSTGRES"), server.data("postgres"));
            case "redis" -> server.redis();
            case "sqs" -> LocalSqs.start(server.port("SQS"));
            case "ecs" -> server.ecs();
            case "venue" -> server.venue();
            case "token" -> {
                server.token(arguments[1], arguments[2]);
                return;
            }
            case "train" -> {
                server.train();
                return;
            }
            default -> throw new IllegalArgumentException("no server is called " + name);
        }
        Thread.currentThread().join();
    }

    private void redis() throws IOException, InterruptedException {
        LocalRedis redis = LocalRedis.start(port("REDIS"), data("redis"));
        closeAtEnd(redis);
        System.exit(redis.awaitEnd());
    }

    private void venue() throws IOException {
        closeAtEnd(PaperVenue.start(port("VENUE"), data("venue").resolve("book.jsonl")));
    }

    private void ecs() throws IOException, InterruptedException {
        LocalEcs ecs = LocalEcs.start(LocalEcsOptions.in(data("ecs"), home.resolve("log"))
                .withPort(port("ECS"))
                .withEvents(EventQueue.taskEventsAt(URI.create("http://127.0.0.1:" + port("SQS")))));
        closeAtEnd(ecs);
        try (EcsCalls calls = new EcsCalls(ecs.port())) {
            workerTask("BERTH_WORKER_COMMAND", workerEnvironment()).register(calls, "berth-worker");
        }
    }

    private void train() throws IOException, InterruptedException {
        Map<String, String> told = workerEnvironment();
        told.put("BERTH_USER_ID", "-1");
        told.put("BERTH_TRAINING_KEY", "class-archive");
        told.put("BERTH_TRAINING_SECRET", "paper-class-archive");
        try (EcsCalls calls = new EcsCalls(port("ECS"))) {
            new WorkerTraining(calls).run(workerTask("BERTH_TRAINING_COMMAND", told));
        }
    }

    private WorkerTaskDefinition workerTask(String commandFile, Map<String, String> told) throws IOException {
        return new WorkerTaskDefinition(Files.readAllLines(Path.of(required(commandFile))), told);
    }

    private Map<String, String> workerEnvironment() {
        Map<String, String> told = new TreeMap<>();
        told.put("BERTH_TEMPORAL_TARGET", "127.0.0.1:" + port("TEMPORAL"));
        told.put("BERTH_REDIS_URI", "redis://127.0.0.1:" + port("REDIS"));
        told.put("BERTH_ALPACA_URL", "http://127.0.0.1:" + port("VENUE"));
        told.put("AWS_ENDPOINT_URL_SQS", "http://127.0.0.1:" + port("SQS"));
        told.put("AWS_REGION", "us-east-1");
        told.put("AWS_ACCESS_KEY_ID", "local");
        told.put("AWS_SECRET_ACCESS_KEY", "local");
        for (String setting : WORKER_SETTINGS) {
            String value = environment.get(setting);
            if (value != null) {
                told.put(setting, value);
            }
        }
        return told;
    }

    private void token(String user, String scope) throws IOException {
        Path key = home.resolve("token.key");
        LocalToken.makeKey(key);
        System.out.println(LocalToken.sign(key, user, scope, TOKEN_LIFE));
    }

    private static void closeAtEnd(AutoCloseable server) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                server.close();
            } catch (Exception failed) {
                Logger.getLogger(LocalServer.class.getName()).log(Level.WARNING, "did not close cleanly", failed);
            }
        }));
    }

    private Path data(String name) throws IOException {
        return Files.createDirectories(home.resolve("data").resolve(name));
    }

    private int port(String name) {
        return Integer.parseInt(required("BERTH_" + name + "_PORT"));
    }

    private String required(String name) {
        String value = environment.get(name);
        if (value == null) {
            throw new IllegalArgumentException(name + " is not set. Start the stack with ./berth up.");
        }
        return value;
    }
}
