package dev.berth.host.order;

import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Calls to brokers, each on a thread of its own: one that ignores its limit and every interrupt holds nobody up. */
public final class BrokerCalls {
    /** A call that has begun. */
    static final class Begun<T> extends FutureTask<T> {
        private Begun(Call<T> call) {
            super(call::make);
        }

        /**
         * Waits for its answer; a call that others wait for too goes on after that.
         *
         * @throws IOException the call's own, or that there is no answer yet
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

        /** Waits for its answer, and gives it up when there is none. */
        private T awaitOrGiveUp(Duration limit) throws IOException, InterruptedException {
            try {
                return await(limit);
            } catch (HttpTimeoutException late) {
                if (cancel(true)) {
                    throw late;
                }
                // It came, or failed by itself, in this very moment.
                return await(Duration.ZERO);
            }
        }
    }

    /** What is asked of a broker. */
    interface Call<T> {
        T make() throws IOException, InterruptedException;
    }

    /** Where calls run. */
    interface Threads {
        /** Runs the call beside its caller, in a thread of this name. */
        void start(String name, Runnable call);
    }

    private final HangWatch watch;
    private final Threads threads;

    public BrokerCalls(HangWatch watch) {
        this(watch, (name, call) -> Thread.ofVirtual().name(name).start(call));
    }

    BrokerCalls(HangWatch watch, Threads threads) {
        this.watch = watch;
        this.threads = threads;
    }

    /** Begins a call. */
    <T> Begun<T> begin(String what, Call<T> call) {
        Begun<T> begun = new Begun<>(call);
        HangWatch.Watched watched = watch.watch(what);
        threads.start(what, () -> {
            try (watched) {
                begun.run();
            }
        });
        return begun;
    }

    /**
     * Makes a call. One that is not over within the limit is interrupted and given up; whether it has an effect, nobody
     * knows.
     *
     * @throws IOException the call's own, or that there was no answer
     */
    <T> T make(String what, Duration limit, Call<T> call) throws IOException, InterruptedException {
        return begin(what, call).awaitOrGiveUp(limit);
    }
}
