package dev.berth.acceptance.webhook;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/** An HTTP server that keeps what it gets, and answers as it is told. */
public final class WebhookReceiver implements AutoCloseable {
    /** Instead of a status: the call is never answered. */
    static final int HANG = 0;

    private final HttpServer server;
    private final List<Call> calls = new CopyOnWriteArrayList<>();
    private final Queue<Integer> once = new ConcurrentLinkedQueue<>();
    private volatile int status = 204;

    private WebhookReceiver(HttpServer server) {
        this.server = server;
    }

    /**
     * A call.
     *
     * @param id the header {@code webhook-id}; empty without it, as the next two
     * @param status its answer, or {@link #HANG}
     */
    public record Call(String path, String id, String timestamp, String signature, String body, int status) {
        boolean isAccepted() {
            return status == 204;
        }

        /** Whether it is signed as Standard Webhooks says, and at most five minutes old. */
        boolean isSignedWith(String secret) {
            Map<String, List<String>> headers = Map.of(
                    Webhook.UNBRANDED_MSG_ID_KEY, List.of(id),
                    Webhook.UNBRANDED_MSG_TIMESTAMP_KEY, List.of(timestamp),
                    Webhook.UNBRANDED_MSG_SIGNATURE_KEY, List.of(signature));
            try {
                new Webhook(secret).verify(body, headers);
                return true;
            } catch (WebhookVerificationException wrong) {
                return false;
            }
        }
    }

    /** Starts one that answers with 204, on a free port. */
    public static WebhookReceiver start() throws IOException {
        return start(0);
    }

    public static WebhookReceiver start(int port) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        WebhookReceiver receiver = new WebhookReceiver(server);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", receiver::receive);
        server.start();
        return receiver;
    }

    private void receive(HttpExchange call) throws IOException {
        String body = new String(call.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        Integer next = once.poll();
        int answer = next == null ? status : next;
        calls.add(new Call(
                call.getRequestURI().getPath(),
                header(call, "webhook-id"),
                header(call, "webhook-timestamp"),
                header(call, "webhook-signature"),
                body,
                answer));
        if (answer != HANG) {
            call.sendResponseHeaders(answer, -1);
            call.close();
        }
    }

    private static String header(HttpExchange call, String name) {
        return Objects.toString(call.getRequestHeaders().getFirst(name), "");
    }

    /** Answers the next call with this status. */
    void answerOnce(int next) {
        once.add(next);
    }

    /** Answers with this status from now on. */
    public void answer(int next) {
        status = next;
    }

    public List<Call> calls() {
        return calls;
    }

    public int port() {
        return server.getAddress().getPort();
    }

    public String url() {
        return "http://127.0.0.1:" + port();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
