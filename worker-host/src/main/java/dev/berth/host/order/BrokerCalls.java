package dev.berth.host.order;

import dev.berth.host.tracing.Span;
import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Calls to brokers, each on a thread of its own: a call that ignores its limit and every interrupt
 * blocks no other.
 */
public final class BrokerCalls {
    /** A call that has started. */
    static final class PendingCall<T> extends FutureTask<T> {
        private PendingCall(Callable<T> call) {
            super(call);
        }

        /**
         * Waits for the result. The call continues after the limit, since others may wait for it.
         *
         * @throws IOException the call's own, or that the limit has passed
         */
        T await(Duration limit) throws IOException, InterruptedException {
            try {
                return get(Math.max(0, limit.toMillis()), TimeUnit.MILLISECONDS);
            } catch (TimeoutException late) {
                throw new HttpTimeoutException("no answer within " + limit);
            } catch (ExecutionException failed) {
                switch (failed.getCause()) {
                    case IOException cause -> throw cause;
                    case RuntimeException cause -> throw cause;
                    case Error cause -> throw cause;
                    case null, default -> throw new IOException(failed.getCause());
                }
            }
        }

        private T awaitOrCancel(Duration limit) throws IOException, InterruptedException {
            try {
                return await(limit);
            } catch (HttpTimeoutException late) {
                if (cancel(true)) {
                    throw late;
                }
                // The call ended between the timeout and the cancellation.
                return await(Duration.ZERO);
            }
        }
    }

    /** A call to a broker. */
    interface Call<T> {
        T execute() throws IOException, InterruptedException;
    }

    /** Where calls run. */
    interface Threads {
        void start(String name, Runnable call);
    }

    private final HangDetector hangDetector;
    private final Threads threads;

    public BrokerCalls(HangDetector hangDetector) {
        this(hangDetector, (name, call) -> Thread.ofVirtual().name(name).start(call));
    }

    BrokerCalls(HangDetector hangDetector, Threads threads) {
        this.hangDetector = hangDetector;
        this.threads = threads;
    }

    <T> PendingCall<T> start(String name, Call<T> call) {
        Optional<Span> caller = Span.current();
        PendingCall<T> pending = new PendingCall<>(
                () -> caller.isEmpty() ? call.execute() : caller.get().call(spanName(name), true, call::execute));
        HangDetector.Watched watched = hangDetector.watch(name);
        threads.start(name, () -> {
            try (watched) {
                pending.run();
            }
        });
        return pending;
    }

    /** Without the id or account that follows: "broker submission". */
    private static String spanName(String call) {
        return "broker " + call.replaceFirst(" of .*", "");
    }

    /**
     * Calls the broker, and interrupts the call after the limit; its effect is unknown then.
     *
     * @throws IOException the call's own, or that there was no answer
     */
    <T> T execute(String name, Duration limit, Call<T> call) throws IOException, InterruptedException {
        return start(name, call).awaitOrCancel(limit);
    }
}
