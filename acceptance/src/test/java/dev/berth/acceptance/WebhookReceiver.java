package dev.berth.acceptance;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/** An HTTP server that keeps what it gets, and answers as it is told. */
final class WebhookReceiver implements AutoCloseable {
    /** Instead of a status: the call is never answered. */
    static final int HANG = 0;

    private final HttpServer server;
    private final List<Call> calls = new CopyOnWriteArrayList<>();
    private volatile int status = 204;

    private WebhookReceiver(HttpServer server) {
        this.server = server;
    }

    /**
     * A call.
     *
     * @param id the header {@code webhook-id}; empty without it
     * @param status its answer, or {@link #HANG}
     */
    record Call(String path, String id, String body, int status) {
        boolean isAccepted() {
            return status == 204;
        }
    }

    /** Starts one that answers with 204, on a free port. */
    static WebhookReceiver start() throws IOException {
        return start(0);
    }

    static WebhookReceiver start(int port) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        WebhookReceiver receiver = new WebhookReceiver(server);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", receiver::receive);
        server.start();
        return receiver;
    }

    private void receive(HttpExchange call) throws IOException {
        String body = new String(call.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String id = call.getRequestHeaders().getFirst("webhook-id");
        int answer = status;
        calls.add(new Call(call.getRequestURI().getPath(), id == null ? "" : id, body, answer));
        if (answer != HANG) {
            call.sendResponseHeaders(answer, -1);
            call.close();
        }
    }

    /** Answers with this status from now on. */
    void answer(int next) {
        status = next;
    }

    List<Call> calls() {
        return calls;
    }

    int port() {
        return server.getAddress().getPort();
    }

    String url() {
        return "http://127.0.0.1:" + port();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
