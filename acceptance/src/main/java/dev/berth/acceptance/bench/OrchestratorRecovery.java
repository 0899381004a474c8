package dev.berth.acceptance.bench;

import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Kills the API and orchestrator process during starts and stops, and measures the recovery. */
final class OrchestratorRecovery {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final int STARTED_AT_ONCE = 3;
    private static final int POOL = 2;

    /** The work during the kill, which takes this time on an idle machine. */
    private enum Phase {
        /** Three users at once: more than the pool has workers. */
        STARTING(2_000),
        /** One user, from a full pool. */
        CLAIMING(300),
        /** All users. */
        STOPPING(500);

        private final int withinMillis;

        Phase(int withinMillis) {
            this.withinMillis = withinMillis;
        }
    }

    private final Stack stack;
    private final long seed;
    private final Random random;
    private final List<BenchUser> users;
    private final List<BenchUser> wanted = new ArrayList<>();
    private final Map<Phase, Integer> settled = new EnumMap<>(Phase.class);
    private final List<String> wrong = new ArrayList<>();
    private final Measurements fromKill = new Measurements();
    private final Measurements fromReady = new Measurements();

    OrchestratorRecovery(Stack stack, long seed) throws IOException, InterruptedException {
        this.stack = stack;
        this.seed = seed;
        this.random = new Random(seed);
        this.users = BenchUser.fresh(stack, STARTED_AT_ONCE + 1);
    }

    void measure(int rounds) throws IOException, InterruptedException {
        Phase[] phases = Phase.values();
        for (int round = 0; round < rounds; round++) {
            Phase phase = phases[round % phases.length];
            awaitPool();
            startPhase(phase);
            Thread.sleep(random.nextInt(phase.withinMillis));
            Instant killed = kill();
            stack.berth("up");
            Instant ready = Instant.now();
            settle(phase, killed, ready);
        }
        BenchUser.stop(wanted);
    }

    private void startPhase(Phase phase) throws IOException, InterruptedException {
        switch (phase) {
            case STARTING -> start(users.subList(0, STARTED_AT_ONCE));
            case CLAIMING -> start(List.of(users.getLast()));
            case STOPPING -> {
                for (BenchUser user : wanted) {
                    user.stop();
                }
                wanted.clear();
            }
        }
    }

    private void start(List<BenchUser> some) throws IOException, InterruptedException {
        for (BenchUser user : some) {
            user.start();
            wanted.add(user);
        }
    }

    private Instant kill() throws IOException, InterruptedException {
        Instant killed = Instant.now();
        stack.process("api").kill();
        return killed;
    }

    private void settle(Phase phase, Instant killed, Instant ready) throws IOException, InterruptedException {
        List<BenchUser> unwanted = new ArrayList<>(users);
        unwanted.removeAll(wanted);
        ExpectedWorkers settlement = new ExpectedWorkers(stack, wanted, unwanted);
        Instant deadline = ready.plus(TIMEOUT);
        Optional<String> missing = settlement.missing();
        while (missing.isPresent()) {
            if (Instant.now().isAfter(deadline)) {
                wrong.add(phase + ": " + missing.get());
                return;
            }
            Thread.sleep(50);
            missing = settlement.missing();
        }
        settled.merge(phase, 1, Integer::sum);
        fromKill.add(OrderLatency.millis(killed, Instant.now()));
        fromReady.add(OrderLatency.millis(ready, Instant.now()));
    }

    private void awaitPool() throws IOException, InterruptedException {
        Instant deadline = Instant.now().plus(TIMEOUT);
        while (RedisKeyspace.of(stack).idlePoolWorkers().size() < POOL
                && Instant.now().isBefore(deadline)) {
            Thread.sleep(100);
        }
    }

    boolean isGood() {
        return wrong.isEmpty();
    }

    void print() {
        ResultTable.row("orchestrator killed, to everybody served", fromKill, Goal.NONE);
        ResultTable.row("  of that, since it was ready again", fromReady, Goal.NONE);
        ResultTable.note("seed %d; every user had exactly one worker, or none, as asked for: %s", seed, settled);
        if (!isGood()) {
            ResultTable.note("WRONG, %d times: %s", wrong.size(), wrong);
        }
    }
}
