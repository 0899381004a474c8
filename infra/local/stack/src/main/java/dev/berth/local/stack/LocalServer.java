package dev.berth.local.stack;

import dev.berth.local.ecs.LocalEcs;
import dev.berth.local.ecs.LocalEcsOptions;
import dev.berth.local.ecs.LocalEcsOptions.ContainerOptions;
import dev.berth.local.ecs.LocalEcsOptions.EventQueue;
import dev.berth.local.venue.PaperVenue;
import dev.berth.local.venue.VenueRules;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The main class of every server of the local stack: {@code postgres, redis, sqs, ecs} or
 * {@code venue}. Also {@code train} and {@code train-api}, which create class archives, and {@code
 * train-orders}, which a server that creates its own serves. A
 * server ends on SIGTERM and keeps its data in the stack's folder.
 */
public final class LocalServer {
    /** Kept, since the log manager holds loggers weakly. */
    private static final Logger POSTGRES = Logger.getLogger("io.zonky.test.db.postgres.embedded.EmbeddedPostgres");

    private static final String BROKER = "BERTH_ALPACA_PAPER_URL";
    private static final String FIX_PORT = "19880";
    private static final String FIX_ALLOWED = "BERTH_FIX_PAPER_ALLOWED";
    private static final Pattern OWN_PORT = Pattern.compile("(?:127\\.0\\.0\\.1|localhost):([0-9]+)");
    private static final String TRAINING_TOKEN = "BERTH_TRAINING_TOKEN";

    /** Variables of this process that workers receive. */
    private static final List<String> WORKER_SETTINGS = List.of(
            BROKER,
            "BERTH_FIX_PAPER_ADDRESS",
            FIX_ALLOWED,
            "BERTH_FIX_TARGET_COMP_ID",
            "BERTH_FIX_SENDER_SUB_ID",
            "BERTH_FIX_TLS",
            "BERTH_FIX_HEARTBEAT",
            "BERTH_FIX_RESET_ON_LOGON",
            "BERTH_FIX_CANCELS_ON_DISCONNECT",
            "BERTH_FIX_MASS_STATUS",
            "BERTH_FIX_MASS_CANCEL",
            "BERTH_FIX_REFUSAL_WORDS",
            "BERTH_ORDER_SLOTS",
            "BERTH_SESSION_PING",
            "BERTH_SUBMIT_LIMIT",
            "BERTH_CALL_LIMIT",
            "BERTH_HUNG_AFTER",
            "BERTH_IDLE_AFTER");

    private static final Pattern GROUP = Pattern.compile("BERTH_GROUPS_([A-Z0-9]+)_");

    private final Map<String, String> environment;
    private final Path home;
    private final TaskIsolation isolation;

    private LocalServer(Map<String, String> environment) {
        this.environment = environment;
        this.home = Path.of(required("BERTH_HOME"));
        this.isolation = TaskIsolation.of(environment);
    }

    static void main(String[] arguments) throws Exception {
        LocalServer server = new LocalServer(System.getenv());
        String name = arguments.length == 0 ? "" : arguments[0];
        Logger.getLogger("").setLevel(Level.WARNING);
        // What the programs of PostgreSQL say, such as why none starts.
        POSTGRES.setLevel(Level.INFO);
        switch (name) {
            case "postgres" -> LocalPostgres.start(server.port("POSTGRES"), server.data("postgres"));
            case "redis" -> server.redis();
            case "sqs" -> LocalSqs.start(server.port("SQS"), server.groups());
            case "ecs" -> server.ecs();
            case "venue" -> server.venue();
            case "train" -> {
                server.train();
                return;
            }
            case "train-api" -> {
                server.trainApi();
                return;
            }
            case "train-orders" -> {
                server.trainingOrders().send();
                return;
            }
            default -> throw new IllegalArgumentException("unknown server: " + name);
        }
        Thread.currentThread().join();
    }

    /** Groups of users in the variables of the settings {@code berth.groups.NAME}. */
    private Set<String> groups() {
        return environment.keySet().stream()
                .map(GROUP::matcher)
                .filter(Matcher::lookingAt)
                .map(name -> name.group(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
    }

    private void redis() throws IOException, InterruptedException {
        LocalRedis redis = LocalRedis.start(port("REDIS"), data("redis"));
        closeAtEnd(redis);
        System.exit(redis.awaitEnd());
    }

    private void venue() throws IOException {
        VenueRules rules = new VenueRules(
                Integer.parseInt(environment.getOrDefault(
                        "BERTH_VENUE_REQUESTS_PER_MINUTE", String.valueOf(VenueRules.STRICT.requestsPerMinute()))),
                Duration.parse(environment.getOrDefault(
                        "BERTH_VENUE_STREAM_REAP",
                        VenueRules.STRICT.streamReap().toString())));
        Path book = data("venue").resolve("book.jsonl");
        closeAtEnd(PaperVenue.start(port("VENUE"), port("FIX"), book, "Berth-Epoch", rules));
    }

    private void ecs() throws IOException, InterruptedException {
        LocalEcsOptions options = LocalEcsOptions.in(data("ecs"), home.resolve("log"))
                .withPort(port("ECS"))
                .withCluster("berth")
                .withEvents(EventQueue.taskEventsAt(URI.create("http://127.0.0.1:" + port("SQS"))));
        LocalEcs ecs = LocalEcs.start(
                isolation.isContainer()
                        ? options.withContainers(new ContainerOptions(isolation.images(), egress()))
                        : options);
        closeAtEnd(ecs);
        try (EcsCalls calls = new EcsCalls(ecs.port())) {
            new WorkerTaskDefinition(isolation.workerEntryPoint(), workerEnvironment()).register(calls, "berth-worker");
        }
    }

    /** With the variables of this process that are the API's. */
    private void trainApi() throws IOException, InterruptedException {
        Map<String, String> variables = new TreeMap<>(environment);
        variables.keySet().removeIf(name -> !name.matches("(BERTH|SPRING|SPRINGDOC|SERVER|MANAGEMENT|AWS)_.*"));
        variables.remove(TRAINING_TOKEN);
        URI readiness = api().resolve("/actuator/health/readiness");
        try (EcsCalls calls = new EcsCalls(port("ECS"))) {
            new ApiArchiveTraining(calls, variables).run(home, isolation.archives("api"), readiness, trainingOrders());
        }
    }

    private TrainingOrders trainingOrders() {
        return new TrainingOrders(api(), required(TRAINING_TOKEN));
    }

    private URI api() {
        return URI.create("http://127.0.0.1:" + port("API"));
    }

    /** All that a worker may reach, besides its metadata. */
    private Set<Integer> egress() {
        Set<Integer> ports = new TreeSet<>(Set.of(port("GATEWAY"), port("VENUE"), port("FIX")));
        OWN_PORT.matcher(environment.getOrDefault(FIX_ALLOWED, ""))
                .results()
                .forEach(address -> ports.add(Integer.valueOf(address.group(1))));
        return ports;
    }

    private void train() throws IOException, InterruptedException {
        Map<String, String> variables = workerEnvironment();
        variables.put("BERTH_USER_ID", "-1");
        variables.put(BROKER, paperVenue());
        variables.put("BERTH_TRAINING_KEY", "class-archive");
        variables.put("BERTH_TRAINING_SECRET", "paper-class-archive");
        TrainingEnrolment enrolment = new TrainingEnrolment(port("REDIS"));
        variables.put("BERTH_ENROLMENT_SECRET", enrolment.secret());
        try (EcsCalls calls = new EcsCalls(port("ECS"))) {
            new ClassArchiveTraining(calls, enrolment)
                    .run(
                            new WorkerTaskDefinition(isolation.trainingEntryPoint(), variables),
                            isolation.archives("worker"));
        }
    }

    private Map<String, String> workerEnvironment() throws IOException {
        Map<String, String> variables = new TreeMap<>();
        variables.put("BERTH_GATEWAY_TARGET", required("BERTH_GATEWAY_TARGET"));
        variables.put("BERTH_GATEWAY_CA", base64(Path.of(required("BERTH_GATEWAY_CA_FILE"))));
        variables.put(BROKER, paperVenue());
        variables.put("BERTH_FIX_PAPER_ADDRESS", "127.0.0.1:" + environment.getOrDefault("BERTH_FIX_PORT", FIX_PORT));
        variables.put("BERTH_FIX_TLS", "false");
        for (String setting : WORKER_SETTINGS) {
            String value = environment.get(setting);
            if (value != null) {
                variables.put(setting, value);
            }
        }
        return variables;
    }

    private String paperVenue() {
        return "http://127.0.0.1:" + port("VENUE");
    }

    private static String base64(Path file) throws IOException {
        return Base64.getEncoder().encodeToString(Files.readAllBytes(file));
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
