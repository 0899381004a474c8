package dev.berth.acceptance.stack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.acceptance.rest.RestClient;
import dev.berth.acceptance.rest.Tokens;
import dev.berth.acceptance.rest.Trader;
import dev.berth.temporal.codec.DerivedPayloadKeys;
import dev.berth.temporal.codec.FileMasterKeys;
import dev.berth.temporal.codec.PayloadKeys;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A running local stack.
 *
 * @param root the project's root, which holds {@code berth}
 * @param environment the environment of {@code berth}: ports, and the folder of the stack
 */
public record Stack(Path root, Map<String, String> environment) {
    /** The stack of this process's environment. */
    public static Stack ofEnvironment() {
        return new Stack(Path.of(System.getProperty("berth.root", ".")).toAbsolutePath(), System.getenv());
    }

    /** The same stack with additional environment variables for its commands. */
    public Stack with(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(environment);
        all.putAll(more);
        return new Stack(root, Map.copyOf(all));
    }

    /**
     * A server of the stack.
     *
     * @param name as in {@link LocalProcess}
     */
    public LocalProcess process(String name) {
        return new LocalProcess(this, name);
    }

    public RestClient api() {
        return new RestClient(URI.create("http://127.0.0.1:" + port("API", 8080)));
    }

    /** The local ECS: its JSON protocol and its controls. */
    public RestClient ecs() {
        return new RestClient(URI.create("http://127.0.0.1:" + port("ECS", 18051)));
    }

    /** The folder of data, logs and process ids. */
    public Path home() {
        String home = environment.get("BERTH_HOME");
        return home == null ? root.resolve(".berth") : Path.of(home);
    }

    public RestClient venue() {
        return new RestClient(URI.create("http://127.0.0.1:" + port("VENUE", 18090)));
    }

    public Trader trader(String user) throws IOException {
        return new Trader(api(), user, new Tokens(this).sign(user, Tokens.TRADER));
    }

    /** The JDBC URL of PostgreSQL. */
    public String postgres() {
        return "jdbc:postgresql://127.0.0.1:" + port("POSTGRES", 15432) + "/postgres";
    }

    /** Connects to PostgreSQL as its owner. */
    public Connection openPostgres() throws SQLException {
        return DriverManager.getConnection(postgres(), "postgres", "local");
    }

    public String webUi() {
        return "http://127.0.0.1:" + port("UI", 8233) + "/namespaces/berth/workflows";
    }

    public String swagger() {
        return "http://127.0.0.1:" + port("API", 8080) + "/swagger-ui.html";
    }

    public int port(String name, int standard) {
        return Integer.parseInt(environment.getOrDefault("BERTH_" + name + "_PORT", Integer.toString(standard)));
    }

    /** Lets {@code temporal} decode payloads, by its environment. */
    public Map<String, String> codec() throws IOException {
        return Map.of(
                "TEMPORAL_CODEC_ENDPOINT", "http://127.0.0.1:" + port("API", 8080) + "/codec",
                "TEMPORAL_CODEC_AUTH", "Bearer " + new Tokens(this).sign("codec", "codec:read"));
    }

    /** The keys that encrypt what Temporal stores. */
    public PayloadKeys payloadKeys() {
        return new DerivedPayloadKeys(new FileMasterKeys(home().resolve("codec.key"), InstantSource.system()));
    }

    /** A workflow's history, as {@code temporal workflow show} prints it. */
    public JsonNode history(String workflowId) throws IOException, InterruptedException {
        String show = "workflow show --workflow-id %s --output json --namespace berth --address 127.0.0.1:%s"
                .formatted(workflowId, port("TEMPORAL", 7233));
        return new ObjectMapper().readTree(run(List.of(temporal()), codec(), show.split(" ")));
    }

    /** Waits for the history of a completed workflow: it ends after its last write. */
    public JsonNode endedHistory(String workflowId) throws IOException, InterruptedException {
        while (true) {
            JsonNode history = history(workflowId);
            WorkflowEvent last = WorkflowEvent.of(history).getLast();
            if (last.eventType().equals("EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED")) {
                return history;
            }
        }
    }

    /** The Temporal CLI: fetched by {@code ./berth}, or from the path. */
    public String temporal() {
        Path fetched = root.resolve(".berth/bin/temporal");
        return environment.getOrDefault(
                "BERTH_TEMPORAL", Files.isExecutable(fetched) ? fetched.toString() : "temporal");
    }

    /**
     * Runs a command of {@code berth} and returns its output.
     *
     * @throws IOException when it does not end with 0
     */
    public String berth(String... arguments) throws IOException, InterruptedException {
        return run(List.of(root.resolve("berth").toString()), Map.of(), arguments);
    }

    private String run(List<String> program, Map<String, String> more, String... arguments)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(program))
                .directory(root.toFile())
                .redirectErrorStream(true);
        builder.command().addAll(List.of(arguments));
        builder.environment().putAll(environment);
        builder.environment().putAll(more);
        Process process = builder.start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", builder.command()) + " failed:\n" + printed);
        }
        return printed;
    }
}
