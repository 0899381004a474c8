package dev.berth.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection to the server: answers calls until it ends. */
final class SdkConnection implements WebSocket.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(SdkConnection.class);

    /** Without any frame for so long, the connection is dead. */
    private static final Duration SILENCE = Duration.ofSeconds(30);

    private static final Duration WRITE = Duration.ofSeconds(10);

    private final JournaledCalls calls;
    private final UnacknowledgedReports reports;
    private final LatestServerTime clock;
    private final Executor threads;
    private final StringBuilder message = new StringBuilder();
    private final ReentrantLock writing = new ReentrantLock();
    /** One party for each call under way, and one for the connection itself. */
    private final Phaser answering = new Phaser(1);

    private final CompletableFuture<JsonNode> registered = new CompletableFuture<>();
    private final CompletableFuture<String> leaving = new CompletableFuture<>();
    private volatile @Nullable WebSocket socket;
    private volatile long heardNanos = System.nanoTime();
    private volatile boolean superseded;
    private volatile LatestServerTime.ClockReading pinged;
    private final AtomicLong pingId = new AtomicLong();

    SdkConnection(JournaledCalls calls, UnacknowledgedReports reports, LatestServerTime clock, Executor threads) {
        this.calls = calls;
        this.reports = reports;
        this.clock = clock;
        this.threads = threads;
        this.pinged = clock.read();
    }

    /**
     * Says which accounts are served, and waits until they are.
     *
     * @return the connection epoch
     * @throws java.util.concurrent.CompletionException when the server refuses, or does not answer
     */
    long register(ObjectNode hello) {
        pinged = clock.read();
        send(hello);
        JsonNode frame = registered.orTimeout(10, TimeUnit.SECONDS).join();
        clock.observe(Instant.parse(SdkFrames.text(frame, "serverTime")), pinged);
        calls.raiseEpoch(frame.required("workerEpoch").asLong());
        reports.all().forEach(this::send);
        ping(frame.required("pingSeconds").asLong(), 0);
        return frame.required("connectionEpoch").asLong();
    }

    /** @param due reports up to this id have waited for an acknowledgement since the last ping */
    private void ping(long everySeconds, long due) {
        CompletableFuture.delayedExecutor(everySeconds, TimeUnit.SECONDS).execute(() -> {
            if (leaving.isDone() && (superseded || isEnded())) {
                return;
            }
            if (System.nanoTime() - heardNanos > SILENCE.toNanos()) {
                LOG.warn("the connection is given up: it is silent");
                abort();
                return;
            }
            pinged = clock.read();
            send(SdkFrames.frame("ping").put("id", pingId.incrementAndGet()));
            long last = reports.last();
            // The server acknowledges nothing while its own servers are unavailable.
            reports.all().stream()
                    .filter(report -> report.path("reportId").asLong() <= due)
                    .forEach(this::send);
            ping(everySeconds, last);
        });
    }

    /** Completes when another connection is needed; with the reason of a server that shuts down. */
    CompletableFuture<String> leaving() {
        return leaving;
    }

    private boolean isEnded() {
        WebSocket open = socket;
        return open == null || open.isOutputClosed();
    }

    /** A later connection serves: finish what was begun, then close. */
    void supersede() {
        superseded = true;
        threads.execute(() -> {
            answering.awaitAdvance(answering.arriveAndDeregister());
            WebSocket open = socket;
            if (open != null) {
                var _ = open.sendClose(WebSocket.NORMAL_CLOSURE, "");
            }
        });
    }

    void abort() {
        WebSocket open = socket;
        if (open != null) {
            open.abort();
        }
        ended("aborted");
    }

    /** No effect when the connection has ended. */
    void send(ObjectNode frame) {
        WebSocket open = socket;
        if (open == null) {
            return;
        }
        writing.lock();
        try {
            open.sendText(fitting(frame), true)
                    .orTimeout(WRITE.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } catch (CompletionException | IllegalStateException gone) {
            LOG.debug("a frame was not sent", gone);
        } finally {
            writing.unlock();
        }
    }

    private static String fitting(ObjectNode frame) {
        String text = SdkFrames.write(frame);
        if (text.getBytes(StandardCharsets.UTF_8).length <= SdkFrames.MAX_BYTES || !frame.has("callId")) {
            return text;
        }
        ObjectNode unknown = SdkFrames.frame("answer").put("callId", SdkFrames.text(frame, "callId"));
        unknown.setAll(JournaledCalls.unknown("the answer is larger than a frame"));
        return SdkFrames.write(unknown);
    }

    @Override
    public void onOpen(WebSocket opened) {
        socket = opened;
        opened.request(1);
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        heardNanos = System.nanoTime();
        if (message.length() + data.length() > SdkFrames.MAX_BYTES) {
            LOG.warn("the connection is given up: a frame is too large");
            abort();
            return null;
        }
        message.append(data);
        if (last) {
            String text = message.toString();
            message.setLength(0);
            try {
                handle(SdkFrames.read(text));
            } catch (RuntimeException unreadable) {
                LOG.warn("the connection is given up: a frame that this SDK cannot read", unreadable);
                abort();
            }
        }
        from.request(1);
        return null;
    }

    private void handle(JsonNode frame) {
        switch (SdkFrames.text(frame, "type")) {
            case "registered" -> registered.complete(frame);
            case "call" -> answer(JournaledCalls.Call.of(frame));
            case "pong" -> {
                if (frame.required("id").asLong() == pingId.get()) {
                    clock.observe(Instant.parse(SdkFrames.text(frame, "serverTime")), pinged);
                }
            }
            case "reported" -> reports.settle(frame.required("reportId").asLong());
            case "refused" -> {
                LOG.error("a report was refused: {}", SdkFrames.text(frame, "detail"));
                reports.settle(frame.required("reportId").asLong());
            }
            case "goaway" -> leaving.complete(SdkFrames.text(frame, "reason"));
            default -> LOG.debug("a frame of an unknown type was ignored");
        }
    }

    private void answer(JournaledCalls.Call call) {
        answering.register();
        threads.execute(() -> {
            try {
                send(calls.answer(call, () -> !superseded));
            } catch (InterruptedException ending) {
                Thread.currentThread().interrupt();
            } finally {
                answering.arriveAndDeregister();
            }
        });
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
        ended(code + " " + reason);
        return null;
    }

    @Override
    public void onError(WebSocket from, Throwable failure) {
        ended(failure.toString());
    }

    private void ended(String why) {
        LOG.info("the connection ended: {}", why);
        registered.completeExceptionally(new IllegalStateException(why));
        leaving.complete("");
    }
}
