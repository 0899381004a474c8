package dev.berth.acceptance.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.acceptance.rest.JsonRecords;
import dev.berth.acceptance.rest.RestClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A customer's machine that sends any frame, also those that no SDK sends. */
final class RemoteMachine implements WebSocket.Listener, AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path FRAMES = Path.of("../clients/frames");
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final StringBuilder message = new StringBuilder();
    private final BlockingQueue<Frame> frames = new LinkedBlockingQueue<>();
    private final CompletableFuture<Integer> closed = new CompletableFuture<>();
    private final WebSocket socket;

    /** What the server sends; each type of frame has some of the fields. */
    record Frame(
            String type,
            @Nullable Long id,
            @Nullable String callId,
            @Nullable String method,
            @Nullable Long epoch,
            @Nullable String orderId,
            @Nullable Long connectionEpoch,
            @Nullable String reason,
            @Nullable String detail) {}

    /** @param token its scope should hold {@code remote} */
    RemoteMachine(RestClient api, String token) {
        this.socket = HTTP.newWebSocketBuilder()
                .header("Authorization", "Bearer " + token)
                .buildAsync(URI.create(api.base().toString().replaceFirst("^http", "ws") + "/v1/remote"), this)
                .join();
    }

    /** A frame that all sides agreed on, to be changed. */
    static ObjectNode golden(String name) throws IOException {
        return (ObjectNode) JSON.readTree(Files.readString(FRAMES.resolve(name + ".json")));
    }

    static ObjectNode hello(String machine, String account) throws IOException {
        ObjectNode hello = golden("hello").put("machine", machine);
        hello.putArray("accounts").add(account);
        return hello;
    }

    RemoteMachine send(JsonNode frame) {
        return send(frame.toString());
    }

    RemoteMachine send(String text) {
        socket.sendText(text, true).join();
        return this;
    }

    /** The next frame of a type. */
    Frame next(String type) throws InterruptedException {
        while (true) {
            Frame frame = frames.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            if (frame == null) {
                throw new AssertionError("no " + type + " came");
            }
            if (frame.type().equals(type)) {
                return frame;
            }
        }
    }

    /** The code with which the server closes. */
    int closeCode() {
        return closed.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        message.append(data);
        if (last) {
            try {
                frames.add(JsonRecords.read(message.toString(), Frame.class));
            } catch (AssertionError noJson) {
                closed.completeExceptionally(noJson);
            }
            message.setLength(0);
        }
        from.request(1);
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
        closed.complete(code);
        return null;
    }

    @Override
    public void onError(WebSocket from, Throwable failure) {
        closed.completeExceptionally(failure);
    }

    @Override
    public void close() {
        socket.abort();
    }
}
