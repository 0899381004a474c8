package dev.berth.remote;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connects accounts of this machine's broker with Berth, for ever. */
public final class RemoteAgent implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteAgent.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    /** A connection that lasted so long was a good one. */
    private static final Duration STABLE = Duration.ofSeconds(5);

    /**
     * How to connect.
     *
     * @param urls of Berth's API, such as {@code https://berth.example}; tried in turn
     * @param token called for each connection: a current token with the scope {@code remote}
     * @param accounts {@code broker/market/environment/accountId}, all of one environment
     * @param state a folder for the journal, for this machine and one process alone
     * @param takeOver the connection epoch of another machine that serves the accounts and is known
     *     to be off; the server's refusal names it
     */
    public record Options(
            List<URI> urls,
            Supplier<String> token,
            List<String> accounts,
            Path state,
            @Nullable Long takeOver) {
        public Options {
            urls = urls.stream().map(RemoteAgent::webSocket).toList();
            accounts = List.copyOf(accounts);
            Set<String> environments =
                    accounts.stream().map(RemoteAgent::environment).collect(Collectors.toSet());
            if (urls.isEmpty() || environments.size() != 1) {
                throw new IllegalArgumentException("name a URL, and accounts of one environment");
            }
        }

        /** With one URL, a token that does not change, and no take-over. */
        public static Options of(URI url, String token, List<String> accounts, Path state) {
            return new Options(List.of(url), () -> token, accounts, state, null);
        }
    }

    private final Options options;
    private final Broker broker;
    private final LatestServerTime clock = new LatestServerTime();
    private final UnacknowledgedReports reports = new UnacknowledgedReports();
    private final AtomicReference<@Nullable SdkConnection> current = new AtomicReference<>();
    private final CompletableFuture<String> closing = new CompletableFuture<>();
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

    public RemoteAgent(Options options, Broker broker) {
        this.options = options;
        this.broker = broker;
    }

    private static String environment(String account) {
        String[] parts = account.split("/", -1);
        if (parts.length != 4) {
            throw new IllegalArgumentException("an account is broker/market/environment/accountId, not " + account);
        }
        return parts[2];
    }

    private static URI webSocket(URI url) {
        String path = url.getPath() == null || url.getPath().length() < 2 ? "/v1/remote" : url.getPath();
        return URI.create(url.getScheme().replaceFirst("^http", "ws") + "://" + url.getRawAuthority() + path);
    }

    /**
     * Serves until {@link #close}, or until the thread is interrupted. Reconnects for ever.
     *
     * @throws IOException when the journal cannot be opened
     * @throws IllegalStateException when another process on this machine uses it
     */
    public void run() throws IOException, InterruptedException {
        try (CallJournal journal = new CallJournal(options.state(), InstantSource.system());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            JournaledCalls calls = new JournaledCalls(broker, Set.copyOf(options.accounts()), journal, clock);
            broker.start(this::report);
            try {
                keepConnected(calls, journal.machine(), threads);
            } finally {
                SdkConnection last = current.get();
                if (last != null) {
                    last.supersede();
                }
            }
        }
    }

    private void report(String account, Broker.Report report) {
        ObjectNode frame = reports.add(account, report);
        SdkConnection connection = current.get();
        if (connection != null && !connection.leaving().isDone()) {
            connection.send(frame);
        }
    }

    private void keepConnected(JournaledCalls calls, String machine, ExecutorService threads)
            throws InterruptedException {
        int failures = 0;
        for (int attempt = 0; !closing.isDone(); attempt++) {
            long startedNanos = System.nanoTime();
            URI url = options.urls().get(attempt % options.urls().size());
            boolean shutsDown = false;
            try {
                SdkConnection connection = connected(url, new SdkConnection(calls, reports, clock, threads), machine);
                await(CompletableFuture.anyOf(connection.leaving(), closing));
                shutsDown = "shutdown".equals(connection.leaving().getNow(""));
            } catch (CompletionException | IllegalArgumentException unavailable) {
                LOG.warn("no connection to {}: {}", url, String.valueOf(unavailable.getMessage()));
            }
            failures = System.nanoTime() - startedNanos > STABLE.toNanos() ? 1 : failures + 1;
            pause(shutsDown ? 0 : failures);
        }
    }

    private static void await(CompletableFuture<?> future) throws InterruptedException {
        try {
            future.get();
        } catch (ExecutionException failed) {
            throw new CompletionException(failed.getCause());
        }
    }

    /** Up to the time that doubles with each failure: machines do not come back all at once. */
    private void pause(int failures) throws InterruptedException {
        long most = Math.min(LONGEST_PAUSE.toMillis(), FIRST_PAUSE.toMillis() << Math.min(failures, 10));
        try {
            closing.copy()
                    .completeOnTimeout("", ThreadLocalRandom.current().nextLong(most), TimeUnit.MILLISECONDS)
                    .get();
        } catch (ExecutionException unreachable) {
            throw new IllegalStateException(unreachable);
        }
    }

    /** The earlier connection serves until this one is registered. */
    private SdkConnection connected(URI url, SdkConnection connection, String machine) throws InterruptedException {
        await(http.newWebSocketBuilder()
                .header("Authorization", "Bearer " + options.token().get())
                .connectTimeout(Duration.ofSeconds(10))
                .buildAsync(url, connection));
        long epoch;
        try {
            epoch = connection.register(SdkFrames.hello(machine, options.accounts(), options.takeOver()));
        } catch (CompletionException refused) {
            connection.abort();
            throw refused;
        }
        SdkConnection earlier = current.getAndSet(connection);
        if (earlier != null) {
            earlier.supersede();
        }
        LOG.info("serving {}, connection epoch {}", String.join(", ", options.accounts()), epoch);
        return connection;
    }

    /** Lets {@link #run} return when the calls under way are answered. */
    @Override
    public void close() {
        closing.complete("");
    }
}
