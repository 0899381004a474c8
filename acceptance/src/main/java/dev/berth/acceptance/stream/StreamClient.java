package dev.berth.acceptance.stream;

import dev.berth.acceptance.rest.JsonRecords;
import dev.berth.acceptance.rest.PlacedOrder;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A user's stream that connects again, to the next replica, whenever it ends, and continues behind
 * the last message.
 */
public final class StreamClient implements AutoCloseable {
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<URI> replicas;
    private final String token;
    private final List<StreamEvent> messages = new CopyOnWriteArrayList<>();
    private final List<Integer> codes = new CopyOnWriteArrayList<>();
    private final Thread thread;
    private volatile long position;
    private final AtomicInteger connects = new AtomicInteger();
    private volatile boolean open = true;

    /**
     * Connects.
     *
     * @param replicas addresses of their REST
     * @param first which of them comes first
     * @param after position to continue behind
     */
    public StreamClient(List<URI> replicas, int first, String token, long after) {
        this.replicas = replicas;
        this.token = token;
        this.position = after;
        this.thread = Thread.ofVirtual().name("stream-client").unstarted(() -> run(first));
        thread.start();
    }

    private void run(int first) {
        for (int next = first; open; next++) {
            try {
                connect(replicas.get(next % replicas.size()));
            } catch (ExecutionException | TimeoutException refused) {
                pause();
            } catch (InterruptedException stop) {
                return;
            }
        }
    }

    private void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException stop) {
            open = false;
        }
    }

    /** Returns when the connection has ended. */
    private void connect(URI replica) throws ExecutionException, TimeoutException, InterruptedException {
        CompletableFuture<Integer> end = new CompletableFuture<>();
        WebSocket socket = http.newWebSocketBuilder()
                .connectTimeout(CONNECT)
                .subprotocols("berth", "bearer." + token)
                .buildAsync(
                        URI.create(
                                "ws" + replica.toString().substring("http".length()) + "/v1/stream?after=" + position),
                        new Receiver(end))
                .get(CONNECT.toMillis() * 2, TimeUnit.MILLISECONDS);
        connects.incrementAndGet();
        try {
            codes.add(end.get());
        } finally {
            socket.abort();
        }
    }

    private final class Receiver implements WebSocket.Listener {
        private final CompletableFuture<Integer> end;
        private final StringBuilder text = new StringBuilder();

        private Receiver(CompletableFuture<Integer> end) {
            this.end = end;
        }

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                receive(text.toString());
                text.setLength(0);
            }
            socket.request(1);
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
            end.complete(code);
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void onError(WebSocket socket, Throwable failure) {
            // The replica was killed.
            end.complete(1006);
        }
    }

    private void receive(String text) {
        StreamEvent message = JsonRecords.read(text, StreamEvent.class);
        messages.add(message);
        position = message.position();
    }

    /** Every message, in the order in which it came. */
    public List<StreamEvent> messages() {
        return messages;
    }

    /** Messages of one type. */
    public List<StreamEvent> messages(String type) {
        return messages.stream().filter(message -> message.type().equals(type)).toList();
    }

    /** The statuses of one order, as they came. */
    public List<String> statuses(String clientOrderId) {
        return messages("order").stream()
                .map(StreamEvent::order)
                .filter(order -> order.clientOrderId().equals(clientOrderId))
                .map(PlacedOrder::status)
                .toList();
    }

    /** How often it connected. */
    public int connects() {
        return connects.get();
    }

    /** The close codes so far; 1006 for a connection that broke. */
    public List<Integer> codes() {
        return codes;
    }

    /** The position of the last message received. */
    public long position() {
        return position;
    }

    @Override
    public void close() {
        open = false;
        thread.interrupt();
        http.shutdownNow();
    }
}
