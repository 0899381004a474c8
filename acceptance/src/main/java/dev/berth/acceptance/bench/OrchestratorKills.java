package dev.berth.acceptance.bench;

import dev.berth.acceptance.RedisKeyspace;
import dev.berth.acceptance.Stack;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** The process of API and orchestrator gets SIGKILL in the midst of its work, and is started again. */
final class OrchestratorKills {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int STARTED_AT_ONCE = 3;
    private static final int POOL = 2;

    /** What goes on when it is killed; within so many milliseconds it is over on a machine at rest. */
    private enum Moment {
        /** Three users at once: more than the pool has. */
        STARTING(2_000),
        /** One user, out of a full pool. */
        CLAIMING(300),
        /** All of them. */
        STOPPING(500);

        private final int withinMillis;

        Moment(int withinMillis) {
            this.withinMillis = withinMillis;
        }
    }

    private final Stack stack;
    private final long seed;
    private final Random random;
    private final List<BenchUser> users;
    private final List<BenchUser> wanted = new ArrayList<>();
    private final Map<Moment, Integer> settled = new EnumMap<>(Moment.class);
    private final List<String> wrong = new ArrayList<>();
    private final Samples fromKill = new Samples();
    private final Samples fromReady = new Samples();

    OrchestratorKills(Stack stack, long seed) throws IOException, InterruptedException {
        this.stack = stack;
        this.seed = seed;
        this.random = new Random(seed);
        this.users = BenchUser.fresh(stack, STARTED_AT_ONCE + 1);
    }

    void measure(int rounds) throws IOException, InterruptedException {
        Moment[] moments = Moment.values();
        for (int round = 0; round < rounds; round++) {
            Moment moment = moments[round % moments.length];
            awaitPool();
            begin(moment);
            Thread.sleep(random.nextInt(moment.withinMillis));
            Instant killed = kill();
            stack.berth("up");
            Instant ready = Instant.now();
            settle(moment, killed, ready);
        }
        BenchUser.stop(wanted);
    }

    private void begin(Moment moment) throws IOException, InterruptedException {
        switch (moment) {
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

    private void settle(Moment moment, Instant killed, Instant ready) throws IOException, InterruptedException {
        List<BenchUser> unwanted = new ArrayList<>(users);
        unwanted.removeAll(wanted);
        Settlement settlement = new Settlement(stack, wanted, unwanted);
        Instant deadline = ready.plus(PATIENCE);
        Optional<String> missing = settlement.missing();
        while (missing.isPresent()) {
            if (Instant.now().isAfter(deadline)) {
                wrong.add(moment + ": " + missing.get());
                return;
            }
            Thread.sleep(50);
            missing = settlement.missing();
        }
        settled.merge(moment, 1, Integer::sum);
        fromKill.add(OrderLatency.millis(killed, Instant.now()));
        fromReady.add(OrderLatency.millis(ready, Instant.now()));
    }

    private void awaitPool() throws IOException, InterruptedException {
        Instant deadline = Instant.now().plus(PATIENCE);
        while (RedisKeyspace.of(stack).idlePoolWorkers().size() < POOL
                && Instant.now().isBefore(deadline)) {
            Thread.sleep(100);
        }
    }

    boolean isGood() {
        return wrong.isEmpty();
    }

    void print() {
        Table.row("orchestrator killed, to everybody served", fromKill, Goal.NONE);
        Table.row("  of that, since it was ready again", fromReady, Goal.NONE);
        Table.note("seed %d; every user had exactly one worker, or none, as asked for: %s", seed, settled);
        if (!isGood()) {
            Table.note("WRONG, %d times: %s", wrong.size(), wrong);
        }
    }
}
