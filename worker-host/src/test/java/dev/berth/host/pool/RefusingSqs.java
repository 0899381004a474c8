package dev.berth.host.pool;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/** An SQS that refuses every read with a status that the SDK does not retry. */
final class RefusingSqs implements AutoCloseable {
    private final HttpServer server;
    private final AtomicInteger reads = new AtomicInteger();

    RefusingSqs() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        System.setProperty("aws.endpointUrlSqs", uri());
    }

    private String uri() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** How many reads were refused. */
    int reads() {
        return reads.get();
    }

    private void answer(HttpExchange call) throws IOException {
        call.getRequestBody().readAllBytes();
        if (call.getRequestHeaders().getFirst("X-Amz-Target").endsWith("GetQueueUrl")) {
            answer(call, 200, "{\"QueueUrl\":\"" + uri() + "/000000000000/pool-claim\"}");
        } else {
            reads.incrementAndGet();
            answer(call, 403, "{\"__type\":\"AccessDeniedException\",\"message\":\"no\"}");
        }
    }

    private static void answer(HttpExchange call, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        call.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.0");
        call.sendResponseHeaders(status, bytes.length);
        call.getResponseBody().write(bytes);
        call.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
