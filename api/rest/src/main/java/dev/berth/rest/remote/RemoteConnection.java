package dev.berth.rest.remote;

import dev.berth.rest.websocket.CloseCode;
import dev.berth.rest.websocket.WebSocketConnection;
import dev.berth.rest.websocket.WebSocketListener;
import dev.berth.routing.CallResult;
import dev.berth.routing.Route;
import dev.berth.workflows.Json;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.Environment;
import dev.berth.workflows.remote.RemoteCall;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection of a customer's machine, and the calls that wait for its answers. */
final class RemoteConnection implements WebSocketListener {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteConnection.class);

    /** What happens with it. Methods may block: they are called on threads of their own. */
    interface Owner {
        void hello(RemoteConnection connection, RemoteFrame.Hello hello);

        void report(RemoteConnection connection, RemoteFrame.Report report);

        void closed(RemoteConnection connection);

        /** A frame that a machine does not send, such as an answer to no call. */
        void refused(String reason);

        /** Counts a frame; false when the user's machines send too many. */
        boolean take(RemoteConnection connection, RemoteRates.Kind kind);
    }

    /**
     * What a connection serves, once it is registered.
     *
     * @param route changes when the registry lost the earlier one
     */
    record Registration(Environment environment, Set<AccountKey> accounts, String machine, Route route) {
        Registration {
            accounts = Set.copyOf(accounts);
        }

        Registration with(Route next) {
            return new Registration(environment, accounts, machine, next);
        }

        boolean serves(String account) {
            return accounts.stream().anyMatch(served -> served.toString().equals(account));
        }
    }

    private final UserId userId;
    private final Owner owner;
    private final Map<String, CompletableFuture<String>> underWay = new ConcurrentHashMap<>();
    private final Semaphore reports = new Semaphore(RemoteLimits.REPORTS_UNDER_WAY);
    private final AtomicBoolean greeted = new AtomicBoolean();
    private final CompletableFuture<WebSocketConnection> socket = new CompletableFuture<>();
    private volatile @Nullable Registration registration;
    private volatile boolean replaced;
    private volatile boolean closed;

    RemoteConnection(UserId userId, Owner owner) {
        this.userId = userId;
        this.owner = owner;
    }

    UserId userId() {
        return userId;
    }

    /** Null before the machine has said what it serves. */
    @Nullable
    Registration registration() {
        return registration;
    }

    void register(Registration now) {
        registration = now;
    }

    /** Another connection serves from now on; this one finishes its calls. */
    void replaced(RemoteFrame.Goaway goaway) {
        replaced = true;
        send(goaway);
    }

    boolean isReplaced() {
        return replaced;
    }

    boolean isClosed() {
        return closed;
    }

    int callsUnderWay() {
        return underWay.size();
    }

    @Override
    public void opened(WebSocketConnection connection) {
        socket.complete(connection);
        CompletableFuture.delayedExecutor(RemoteLimits.HELLO.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> {
                    if (registration == null) {
                        close(CloseCode.POLICY, "No hello within " + RemoteLimits.HELLO.toSeconds() + " s.");
                    }
                });
    }

    @Override
    public void message(WebSocketConnection connection, String text) {
        if (!owner.take(this, RemoteRates.Kind.FRAME)) {
            owner.refused("rate");
            close(CloseCode.POLICY, "Too many frames.");
            return;
        }
        RemoteFrame frame;
        try {
            frame = RemoteFrame.read(text);
        } catch (IllegalArgumentException malformed) {
            owner.refused("malformed");
            close(CloseCode.POLICY, "Not a frame: " + malformed.getMessage());
            return;
        }
        Registration registered = registration;
        switch (frame) {
            case RemoteFrame.Hello hello
            when greeted.compareAndSet(false, true) ->
                Thread.ofVirtual().name("remote-hello").start(() -> owner.hello(this, hello));
            case RemoteFrame.Answer answer -> answered(answer);
            case RemoteFrame.Report report when registered != null -> report(report);
            case RemoteFrame.Ping ping when registered != null -> pong(ping);
            case RemoteFrame.Hello _, RemoteFrame.Report _, RemoteFrame.Ping _ -> {
                owner.refused("out-of-order");
                close(CloseCode.POLICY, "The first frame is hello, and there is one.");
            }
        }
    }

    /** An answer comes once, and to a call that is under way. */
    private void answered(RemoteFrame.Answer answer) {
        CompletableFuture<String> call = underWay.remove(answer.callId());
        if (call == null) {
            owner.refused("no-such-call");
            LOG.warn("an answer to no call under way was ignored, from a machine of {}", userId());
        } else {
            call.complete(answer.text());
        }
    }

    /** Beyond the rate not answered: no machine needs so many. */
    private void pong(RemoteFrame.Ping ping) {
        if (owner.take(this, RemoteRates.Kind.PING)) {
            send(new RemoteFrame.Pong(ping.id(), Instant.now()));
        }
    }

    /** At a limit not acknowledged: the machine sends it again. */
    private void report(RemoteFrame.Report report) {
        if (!owner.take(this, RemoteRates.Kind.REPORT)) {
            owner.refused("report-rate");
        } else if (reports.tryAcquire()) {
            Thread.ofVirtual().name("remote-report").start(() -> {
                try {
                    owner.report(this, report);
                } finally {
                    reports.release();
                }
            });
        }
    }

    /** No effect when the connection is closed. */
    void send(RemoteFrame.FromServer frame) {
        try {
            socket.join().send(Json.write(frame));
        } catch (IOException gone) {
            LOG.debug("a frame was not sent: {}", gone.getMessage());
        }
    }

    /**
     * Writes a call, and waits for its answer.
     *
     * @param until when the caller stops waiting
     */
    CallResult call(RemoteCall call, Instant until) throws InterruptedException {
        CompletableFuture<String> answer = new CompletableFuture<>();
        if (underWay.size() >= RemoteLimits.CALLS_UNDER_WAY) {
            return new CallResult.NotSent("Too many calls wait for the customer's machine.");
        }
        if (underWay.putIfAbsent(call.callId(), answer) != null) {
            return new CallResult.Unknown("The call is under way already.");
        }
        try {
            if (closed || !socket.join().isOpen()) {
                return new CallResult.Mismatch();
            }
            socket.join().send(Json.write(call));
            long left = Duration.between(Instant.now(), until).toMillis();
            return new CallResult.Answered(answer.get(Math.max(1, left), TimeUnit.MILLISECONDS));
        } catch (TimeoutException late) {
            return new CallResult.Unknown("The customer's machine did not answer in time.");
        } catch (IOException | ExecutionException lost) {
            return new CallResult.Unknown("The connection of the customer's machine ended in the call.");
        } finally {
            underWay.remove(call.callId());
        }
    }

    @Override
    public void closed(WebSocketConnection connection) {
        closed = true;
        underWay.values().forEach(call -> call.completeExceptionally(new IOException("closed")));
        Thread.ofVirtual().name("remote-closed").start(() -> owner.closed(this));
    }

    void close(CloseCode code, String reason) {
        socket.join().close(code, reason);
    }
}
