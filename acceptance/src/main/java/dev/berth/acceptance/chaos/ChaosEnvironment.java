package dev.berth.acceptance.chaos;

import dev.berth.acceptance.bench.BenchUser;
import dev.berth.acceptance.bench.HostProcess;
import dev.berth.acceptance.bench.LocalEcsControl;
import dev.berth.acceptance.bench.TradingUsers;
import dev.berth.acceptance.rest.RestClient;
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.VenueLog;
import dev.berth.acceptance.verify.Freeze;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;

/** The stack and its users, and the state that simultaneous faults share. */
final class ChaosEnvironment {
    /** Other faults may kill a server during {@code berth up}. */
    private static final int TRIES = 5;

    private static final String ECS = "ecs";

    /** Orders whose executions are corrected at once, and by how much. */
    private static final int CORRECTIONS = 5;

    private static final BigDecimal CORRECTION = new BigDecimal("0.01");

    private final Stack stack;
    private final TradingUsers crew;
    private final LocalEcsControl ecs;
    private final List<Freeze> freezes = new CopyOnWriteArrayList<>();
    private final ReentrantLock restarting = new ReentrantLock();
    private boolean eventsDropped;
    private int hangingHosts;

    ChaosEnvironment(Stack stack, TradingUsers crew) {
        this.stack = stack;
        this.crew = crew;
        this.ecs = new LocalEcsControl(stack);
    }

    Stack stack() {
        return stack;
    }

    TradingUsers crew() {
        return crew;
    }

    /**
     * The process that serves the user, by its metadata in Redis, which works without the API;
     * empty without one.
     */
    Optional<HostProcess> workerOf(BenchUser user) throws IOException {
        String pid =
                RedisKeyspace.of(stack).hash("worker:metadata:" + user.name()).getOrDefault("pid", "");
        return HostProcess.of(stack).stream()
                .filter(process -> Long.toString(process.pid()).equals(pid))
                .findFirst();
    }

    /** Starts a killed server and all others that are down. */
    void restart(String server) throws IOException, InterruptedException {
        restarting.lock();
        try {
            // A previous restart may have started this server, too.
            if (!stack.process(server).isUp()) {
                startAll();
            }
            if (server.equals(ECS)) {
                // The local ECS keeps its faults in memory.
                sendEcsFaults();
            }
        } finally {
            restarting.unlock();
        }
    }

    private void startAll() throws IOException, InterruptedException {
        for (int left = TRIES; left > 1; left--) {
            try {
                stack.berth("up");
                return;
            } catch (IOException killedMeanwhile) {
                // The last attempt reports its failure.
            }
        }
        stack.berth("up");
    }

    synchronized void dropEvents(boolean drop) throws IOException, InterruptedException {
        eventsDropped = drop;
        sendEcsFaults();
    }

    /** Tasks on a hanging host cannot be stopped. The local ECS then ignores all stops. */
    synchronized void setHostHangs(boolean hangs) throws IOException, InterruptedException {
        hangingHosts += hangs ? 1 : -1;
        try {
            sendEcsFaults();
        } catch (IOException unavailable) {
            if (hangs) {
                hangingHosts--;
            }
            throw unavailable;
        }
    }

    private synchronized void sendEcsFaults() throws IOException, InterruptedException {
        ecs.faults(eventsDropped, hangingHosts > 0);
    }

    void venueFaults(String faults) throws IOException, InterruptedException {
        int status = stack.venue().call("PUT", "/_control/faults", faults).status();
        if (status != 200) {
            throw new IOException("the venue answered " + status + " to " + faults);
        }
    }

    /** The venue corrects the price of an execution of each of its newest filled orders. */
    void correctExecutions() throws IOException, InterruptedException {
        RestClient venue = stack.venue();
        List<VenueLog.Order> filled = new VenueLog(venue)
                .orders().stream().filter(order -> !order.fills().isEmpty()).toList();
        for (VenueLog.Order order : filled.subList(Math.max(0, filled.size() - CORRECTIONS), filled.size())) {
            VenueLog.Fill fill = order.fills().getFirst();
            String price = fill.price().add(CORRECTION).toPlainString();
            venue.call(
                    "POST",
                    "/_control/orders/" + order.id() + "/corrections",
                    "{\"executionId\":\"%s\",\"price\":\"%s\"}".formatted(fill.executionId(), price));
        }
    }

    /** After this freeze an order of the worker may be late, or sent twice. */
    void tolerate(Freeze freeze) {
        freezes.add(freeze);
    }

    List<Freeze> freezes() {
        return List.copyOf(freezes);
    }

    /** Starts all servers and removes all faults, after the last fault. */
    synchronized void restore() throws IOException, InterruptedException {
        startAll();
        eventsDropped = false;
        hangingHosts = 0;
        sendEcsFaults();
        venueFaults("{}");
    }
}
