package dev.berth.acceptance;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A page in a headless Chromium, driven by the DevTools protocol. */
final class Browser implements AutoCloseable, WebSocket.Listener {
    private static final Pattern ADDRESS = Pattern.compile("DevTools listening on (ws://\\S+)");
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final ObjectMapper json = new ObjectMapper();
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> calls = new ConcurrentHashMap<>();
    private final List<String> errors = new CopyOnWriteArrayList<>();
    private final StringBuilder message = new StringBuilder();
    private final Process process;
    private final WebSocket socket;
    private final String session;

    private Browser(Process process, String address) throws IOException {
        this.process = process;
        this.socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(URI.create(address), this)
                .join();
        String target = call("Target.createTarget", Map.of("url", "about:blank"), "")
                .path("targetId")
                .asText();
        this.session = call("Target.attachToTarget", Map.of("targetId", target, "flatten", true), "")
                .path("sessionId")
                .asText();
        for (String domain : List.of("Page", "Runtime", "Log", "Network", "HeapProfiler")) {
            call(domain + ".enable", Map.of());
        }
        call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", 1360, "height", 900, "deviceScaleFactor", 1, "mobile", false));
    }

    /** Whether a Chromium is installed. */
    static boolean isInstalled() throws InterruptedException {
        return FinishedCommand.isInstalled("chromium");
    }

    static Browser start(Path profile) throws IOException {
        // A sandbox of its own needs rights that containers do not give; the page is the project's.
        Process process = new ProcessBuilder(
                        "chromium",
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--no-proxy-server",
                        "--hide-scrollbars",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectErrorStream(true)
                .start();
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            Matcher address = ADDRESS.matcher(line);
            if (address.find()) {
                Thread.ofVirtual().start(() -> discard(output));
                return new Browser(process, address.group(1));
            }
        }
        throw new IOException("chromium did not start");
    }

    /** Else Chromium blocks when the pipe is full. */
    private static void discard(Reader output) {
        try {
            output.transferTo(Writer.nullWriter());
        } catch (IOException ended) {
            // The process ended.
        }
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        message.append(data);
        if (last) {
            String whole = message.toString();
            message.setLength(0);
            try {
                received(json.readTree(whole));
            } catch (IOException unreadable) {
                errors.add(unreadable.getMessage());
            }
        }
        from.request(1);
        return CompletableFuture.completedStage(null);
    }

    private void received(JsonNode message) {
        CompletableFuture<JsonNode> call = calls.remove(message.path("id").asInt(-1));
        if (call != null) {
            call.complete(message);
        } else if (message.path("method").asText().equals("Runtime.exceptionThrown")) {
            errors.add(message.path("params").path("exceptionDetails").toString());
        } else if (message.path("params").path("entry").path("level").asText().equals("error")) {
            errors.add(message.path("params").path("entry").path("text").asText());
        }
    }

    /** Sends a command to the page. */
    JsonNode call(String method, Map<String, Object> parameters) throws IOException {
        return call(method, parameters, session);
    }

    private JsonNode call(String method, Map<String, Object> parameters, String to) throws IOException {
        int id = ids.incrementAndGet();
        ObjectNode command = json.createObjectNode().put("id", id).put("method", method);
        command.set("params", json.valueToTree(parameters));
        if (!to.isEmpty()) {
            command.put("sessionId", to);
        }
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        calls.put(id, answer);
        socket.sendText(command.toString(), true).join();
        JsonNode message =
                answer.orTimeout(TIMEOUT.toSeconds(), TimeUnit.SECONDS).join();
        if (message.has("error")) {
            throw new IOException(method + ": " + message.path("error"));
        }
        return message.path("result");
    }

    void open(String address) throws IOException {
        call("Page.navigate", Map.of("url", address));
        until("document.readyState === 'complete' && document.title !== ''");
    }

    /** The value of an expression of JavaScript, which may be a promise. */
    JsonNode value(String expression) throws IOException {
        JsonNode answer = call(
                "Runtime.evaluate",
                Map.of("expression", expression, "awaitPromise", true, "returnByValue", true, "userGesture", true));
        if (answer.has("exceptionDetails")) {
            throw new IOException(expression + ": " + answer.path("exceptionDetails"));
        }
        return answer.path("result").path("value");
    }

    /** Waits until the expression is true. */
    void until(String expression) {
        until(expression, TIMEOUT);
    }

    void until(String expression, Duration timeout) {
        await().alias(expression)
                .atMost(timeout)
                .pollInterval(Duration.ofMillis(100))
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> value("Boolean(" + expression + ")").asBoolean());
    }

    /** Waits until the page shows a text. */
    void see(String text) throws IOException {
        until("document.body.innerText.includes(" + json.writeValueAsString(text) + ")");
    }

    /** Clicks the first visible button, link or label with this text. */
    void click(String text) throws IOException {
        String found = "[...document.querySelectorAll('dialog button, button, a, label')].find(one =>"
                + " one.checkVisibility() && one.textContent.trim() === " + json.writeValueAsString(text)
                + " && !one.disabled)";
        until(found);
        value(found + ".click()");
    }

    /** Types into the focused element, or what the selector finds. */
    void type(String selector, String text) throws IOException {
        until("document.querySelector('" + selector + "')?.checkVisibility()");
        value("document.querySelector('" + selector + "').focus()");
        call("Input.insertText", Map.of("text", text));
    }

    /** Presses a key as a person does. */
    void press(String key) throws IOException {
        String text = key.length() == 1 ? key : key.equals("Enter") ? "\r" : "";
        call("Input.dispatchKeyEvent", Map.of("type", "keyDown", "key", key, "text", text));
        call("Input.dispatchKeyEvent", Map.of("type", "keyUp", "key", key));
    }

    void preferDark(boolean dark) throws IOException {
        call(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
    }

    void screenshot(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        String data = call("Page.captureScreenshot", Map.of("format", "png"))
                .path("data")
                .asText();
        Files.write(file, Base64.getDecoder().decode(data));
    }

    /** Uncaught exceptions, refusals by the security policy and failed requests. */
    List<String> errors() {
        return errors;
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        // It writes to its profile until then.
        process.onExit().join();
    }
}
