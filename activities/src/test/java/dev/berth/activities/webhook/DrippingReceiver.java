package dev.berth.activities.webhook;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Accepts one connection, says how it begins, and then a byte now and then for ever. */
final class DrippingReceiver implements AutoCloseable {
    private final ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    private final ScheduledExecutorService clock = new ScheduledThreadPoolExecutor(1);
    private final String begin;
    private final Duration pause;
    private volatile boolean isHungUp;

    private DrippingReceiver(String begin, Duration pause) throws IOException {
        this.begin = begin;
        this.pause = pause;
    }

    /** @param begin what it says at once; empty: it says nothing at all */
    static DrippingReceiver start(String begin, Duration pause) throws IOException {
        DrippingReceiver receiver = new DrippingReceiver(begin, pause);
        Thread.startVirtualThread(receiver::accept);
        return receiver;
    }

    int port() {
        return server.getLocalPort();
    }

    /** Whether the caller has closed its connection. */
    boolean isHungUp() {
        return isHungUp;
    }

    private void accept() {
        try (Socket caller = server.accept()) {
            caller.getOutputStream().write(begin.getBytes(StandardCharsets.ISO_8859_1));
            if (!begin.isEmpty()) {
                var _ = clock.scheduleAtFixedRate(
                        () -> drip(caller), pause.toMillis(), pause.toMillis(), TimeUnit.MILLISECONDS);
            }
            while (caller.getInputStream().read() >= 0) {
                // What the caller says does not matter.
            }
        } catch (IOException | RejectedExecutionException ended) {
            // The caller has closed it as well, or the test is over.
        } finally {
            isHungUp = true;
        }
    }

    private static void drip(Socket caller) {
        try {
            caller.getOutputStream().write(2);
        } catch (IOException closed) {
            // The reading thread notices.
        }
    }

    @Override
    public void close() throws IOException {
        clock.shutdownNow();
        server.close();
    }
}
