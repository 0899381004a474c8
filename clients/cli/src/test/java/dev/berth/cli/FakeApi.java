package dev.berth.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * An API that gives one answer, but for calls that have one of their own, and records what it is
 * asked.
 */
final class FakeApi implements AutoCloseable {
    /** How a command ended. */
    record Result(int exitCode, String out, String err) {}

    private final HttpServer server;
    private final List<String> calls = new ArrayList<>();
    private final Map<String, String> answers = new HashMap<>();
    private final Map<String, String> links = new HashMap<>();
    private int status = 200;
    private String answer = "{}";

    FakeApi() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::serve);
        server.start();
    }

    private void serve(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        calls.add((exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + body).strip());
        String uri = exchange.getRequestURI().toString();
        String own =
                answers.getOrDefault(uri, answers.get(exchange.getRequestURI().getPath()));
        if (links.containsKey(uri)) {
            exchange.getResponseHeaders().set("Link", links.get(uri));
        }
        byte[] bytes = (own == null ? answer : own).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(own == null ? status : 200, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    FakeApi answers(int newStatus, String newAnswer) {
        status = newStatus;
        answer = newAnswer;
        return this;
    }

    /** Calls of this path, or of this path with its query, succeed with an answer of their own. */
    FakeApi answersAt(String path, String ownAnswer) {
        answers.put(path, ownAnswer);
        return this;
    }

    /** The answer to this call names the next page. */
    FakeApi linksAt(String uri, String link) {
        links.put(uri, link);
        return this;
    }

    /** What it was asked: method, path and body. */
    List<String> calls() {
        return calls;
    }

    Result run(String... arguments) {
        return runOn("http://127.0.0.1:" + server.getAddress().getPort(), arguments);
    }

    static Result runOn(String apiUrl, String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        try (PrintStream printed = new PrintStream(out, false, StandardCharsets.UTF_8);
                PrintStream failed = new PrintStream(err, false, StandardCharsets.UTF_8)) {
            Map<String, String> variables = Map.of("BERTH_API_URL", apiUrl, "BERTH_TOKEN", "any");
            int exitCode = BerthCli.run(variables, printed, failed, arguments);
            printed.flush();
            return new Result(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
