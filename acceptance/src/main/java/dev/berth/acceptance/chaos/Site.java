package dev.berth.acceptance.chaos;

import dev.berth.acceptance.RedisKeyspace;
import dev.berth.acceptance.Stack;
import dev.berth.acceptance.bench.BenchUser;
import dev.berth.acceptance.bench.Crew;
import dev.berth.acceptance.bench.HostProcess;
import dev.berth.acceptance.bench.LocalEcsControl;
import dev.berth.acceptance.verify.Freeze;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;

/** Where faults happen: a stack, the users who trade on it, and what several faults at once share. */
final class Site {
    /** What is killed while others are started makes that fail. */
    private static final int TRIES = 5;

    private static final String ECS = "ecs";

    private final Stack stack;
    private final Crew crew;
    private final LocalEcsControl ecs;
    private final List<Freeze> freezes = new CopyOnWriteArrayList<>();
    private final ReentrantLock restarting = new ReentrantLock();
    private boolean eventsDropped;
    private int hostsThatHang;

    Site(Stack stack, Crew crew) {
        this.stack = stack;
        this.crew = crew;
        this.ecs = new LocalEcsControl(stack);
    }

    Stack stack() {
        return stack;
    }

    Crew crew() {
        return crew;
    }

    /**
     * The process that serves the user, as it says itself in Redis, whether or not there is an API to ask; empty when
     * none does.
     */
    Optional<HostProcess> workerOf(BenchUser user) throws IOException {
        String pid =
                RedisKeyspace.of(stack).hash("worker:metadata:" + user.name()).getOrDefault("pid", "");
        return HostProcess.of(stack).stream()
                .filter(process -> Long.toString(process.pid()).equals(pid))
                .findFirst();
    }

    /** Starts a server that was killed, and every other that is down; one at a time does so. */
    void restart(String server) throws IOException, InterruptedException {
        restarting.lock();
        try {
            // Whoever was before may have started it too.
            if (!stack.process(server).isUp()) {
                startAll();
            }
            if (server.equals(ECS)) {
                // It keeps what goes wrong in memory.
                tellEcs();
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
                // The next try says why, if it fails too.
            }
        }
        stack.berth("up");
    }

    synchronized void dropEvents(boolean drop) throws IOException, InterruptedException {
        eventsDropped = drop;
        tellEcs();
    }

    /** Tasks on a host that hangs can not be stopped. Local ECS knows no host by itself: for a while none can. */
    synchronized void hostHangs(boolean hangs) throws IOException, InterruptedException {
        hostsThatHang += hangs ? 1 : -1;
        try {
            tellEcs();
        } catch (IOException away) {
            if (hangs) {
                hostsThatHang--;
            }
            throw away;
        }
    }

    private synchronized void tellEcs() throws IOException, InterruptedException {
        ecs.faults(eventsDropped, hostsThatHang > 0);
    }

    void venueFaults(String faults) throws IOException, InterruptedException {
        int status = stack.venue().call("PUT", "/_control/faults", faults).status();
        if (status != 200) {
            throw new IOException("the venue answered " + status + " to " + faults);
        }
    }

    /** In this time a worker stood still: what it had in hand may be late, or sent by another meanwhile. */
    void tolerate(Freeze freeze) {
        freezes.add(freeze);
    }

    List<Freeze> freezes() {
        return List.copyOf(freezes);
    }

    /** Everything runs, and nothing goes wrong any more. All faults are over when it is called. */
    synchronized void restore() throws IOException, InterruptedException {
        startAll();
        eventsDropped = false;
        hostsThatHang = 0;
        tellEcs();
        venueFaults("{}");
    }
}
