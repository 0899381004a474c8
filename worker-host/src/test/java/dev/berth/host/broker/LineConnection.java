package dev.berth.host.broker;

import dev.berth.host.broker.BrokerSession.NotSentException;
import dev.berth.host.broker.BrokerSession.ObjectionException;
import dev.berth.host.broker.BrokerSession.RefusedException;
import dev.berth.host.broker.BrokerSession.WriteGate;
import dev.berth.workflows.order.SubmitOutcome.Declined;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The one live connection of a session, connected again in the background until closed. */
final class LineConnection implements AutoCloseable {
    private static final long RECONNECT_MILLIS = 100;

    private final int port;
    private final BrokerCredentials credentials;
    private final SessionJournal journal;
    private final long epoch;
    private final Consumer<String[]> onEvent;
    private final Runnable onConnected;
    private final Map<Integer, CompletableFuture<String[]>> pending = new ConcurrentHashMap<>();
    private final Map<Socket, BufferedReader> readers = new ConcurrentHashMap<>();
    private @Nullable Socket socket;
    private @Nullable Thread thread;
    private int lastRequest;
    private boolean closed;

    LineConnection(
            int port,
            BrokerCredentials credentials,
            SessionJournal journal,
            long epoch,
            Consumer<String[]> onEvent,
            Runnable onConnected) {
        this.port = port;
        this.credentials = credentials;
        this.journal = journal;
        this.epoch = epoch;
        this.onEvent = onEvent;
        this.onConnected = onConnected;
    }

    /** Connects once; later connections follow in the background. */
    void open() throws IOException {
        Socket first = connect();
        thread = Thread.ofVirtual().start(() -> run(first));
    }

    private Socket connect() throws IOException {
        int lastEvent = journal.open(epoch);
        Socket connecting = new Socket(InetAddress.getLoopbackAddress(), port);
        try {
            write(connecting, "HELLO|" + credentials.keyId() + "|" + credentials.secret() + "|" + lastEvent);
            BufferedReader in = reader(connecting);
            String welcome = in.readLine();
            if (welcome == null) {
                throw new IOException("the broker hung up");
            }
            if (welcome.startsWith("DENIED")) {
                throw new RefusedException("the broker refused the credentials");
            }
            readers.put(connecting, in);
            synchronized (this) {
                socket = connecting;
                notifyAll();
            }
            onConnected.run();
            return connecting;
        } catch (IOException failed) {
            connecting.close();
            throw failed;
        }
    }

    private static BufferedReader reader(Socket from) throws IOException {
        return new BufferedReader(new InputStreamReader(from.getInputStream(), StandardCharsets.US_ASCII));
    }

    private void run(Socket first) {
        Socket connected = first;
        while (true) {
            read(connected);
            synchronized (this) {
                socket = null;
            }
            pending.values().forEach(call -> call.completeExceptionally(new IOException("the connection ended")));
            connected = reconnect();
            if (connected == null) {
                return;
            }
        }
    }

    private void read(Socket connected) {
        try (connected;
                BufferedReader in = Objects.requireNonNull(readers.remove(connected))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] fields = line.split("\\|", -1);
                int number = Integer.parseInt(fields[1]);
                if (fields[0].equals("EVT")) {
                    journal.require(epoch);
                    onEvent.accept(fields);
                    journal.received(epoch, number);
                } else {
                    CompletableFuture<String[]> call = pending.remove(number);
                    if (call != null) {
                        call.complete(fields);
                    }
                }
            }
        } catch (IOException ended) {
            // Connected again below.
        }
    }

    private @Nullable Socket reconnect() {
        while (true) {
            synchronized (this) {
                if (closed) {
                    return null;
                }
            }
            try {
                TimeUnit.MILLISECONDS.sleep(RECONNECT_MILLIS);
                return connect();
            } catch (IOException unavailable) {
                // Tried again.
            } catch (InterruptedException interrupted) {
                return null;
            }
        }
    }

    /**
     * Writes a request, and waits for its answer.
     *
     * @throws NotSentException when there is no connection in time, or a later process has it
     * @throws IOException when the outcome is unknown
     */
    String[] call(String kind, String arguments, Duration limit, WriteGate gate)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        Socket open = awaitConnection(deadline);
        Optional<Declined> objection = gate.objection();
        if (objection.isPresent()) {
            throw new ObjectionException(objection.get());
        }
        try {
            journal.require(epoch);
        } catch (IOException fenced) {
            throw new NotSentException("a later process has the session", fenced);
        }
        int number;
        CompletableFuture<String[]> answer = new CompletableFuture<>();
        synchronized (this) {
            number = ++lastRequest;
            pending.put(number, answer);
        }
        write(open, kind + "|" + number + "|" + arguments);
        synchronized (this) {
            if (socket != open) {
                answer.completeExceptionally(new IOException("the connection ended"));
            }
        }
        try {
            return answer.get(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw new HttpTimeoutException("no answer within " + limit);
        } catch (ExecutionException ended) {
            throw new IOException(ended.getCause());
        } finally {
            pending.remove(number);
        }
    }

    /** @throws RefusedException when the broker refuses the credentials */
    void ping(Duration limit) throws IOException, InterruptedException {
        if (call("ANY", "", limit, Optional::empty)[0].equals("DENIED")) {
            throw new RefusedException("the broker refused the credentials");
        }
    }

    private synchronized Socket awaitConnection(long deadline) throws NotSentException, InterruptedException {
        while (socket == null) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0 || closed) {
                throw new NotSentException("there is no connection", new IOException());
            }
            wait(left);
        }
        return socket;
    }

    private static void write(Socket to, String line) throws IOException {
        to.getOutputStream().write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public void close() {
        try {
            synchronized (this) {
                closed = true;
                if (socket != null) {
                    socket.close();
                }
            }
            if (thread != null) {
                thread.interrupt();
                thread.join(1_000);
            }
        } catch (IOException ended) {
            // It is closed.
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
