package dev.berth.acceptance.chaos;

import dev.berth.acceptance.bench.ExpectedWorkers;
import dev.berth.acceptance.bench.OnCallOperator;
import dev.berth.acceptance.bench.OrderAudit;
import dev.berth.acceptance.bench.ResultTable;
import dev.berth.acceptance.bench.TradingUsers;
import dev.berth.acceptance.rest.LocalAccount;
import dev.berth.acceptance.stack.Stack;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Ten users trade during the faults of a plan; then the stack is restored and checked. */
final class FaultRun {
    /** Longer than a crash loop's longest delay, and than a sweep needs. */
    private static final Duration SETTLE_LIMIT = Duration.ofMinutes(6);

    private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);

    private final Stack stack;
    private final FaultPlan plan;
    private final OrderAudit audit;
    private final FaultTally tally = new FaultTally();
    private final Set<String> activeTargets = ConcurrentHashMap.newKeySet();
    /** Failures besides the orders, also of the run itself. */
    private final List<String> failures = new CopyOnWriteArrayList<>();

    private String resolutions = "";

    FaultRun(Stack stack, FaultPlan plan) {
        this.stack = stack;
        this.plan = plan;
        this.audit = new OrderAudit(stack);
    }

    void run() throws IOException, InterruptedException {
        TradingUsers crew = new TradingUsers(stack, new Random(plan.seed()), List.of(LocalAccount.values()), true);
        ChaosEnvironment site = new ChaosEnvironment(stack, crew);
        try (OnCallOperator operator = OnCallOperator.begin(stack)) {
            try (crew) {
                injectAll(site);
                site.restore();
                settle(crew);
            }
            audit.check(crew.all(), site.freezes());
            resolutions = operator.toString();
        }
    }

    /** After the faults every user has one worker or none, and no process is unused. */
    private void settle(TradingUsers crew) throws InterruptedException {
        Instant latest = Instant.now().plus(SETTLE_LIMIT);
        Optional<String> missing;
        do {
            Thread.sleep(POLL_INTERVAL);
            missing = missing(crew);
        } while (missing.isPresent() && Instant.now().isBefore(latest));
        missing.ifPresent(it -> failures.add("not settled after " + SETTLE_LIMIT.toMinutes() + " min: " + it));
    }

    private Optional<String> missing(TradingUsers crew) throws InterruptedException {
        try {
            return ExpectedWorkers.of(stack, crew).missing();
        } catch (IOException unavailable) {
            return Optional.of(unavailable.toString());
        }
    }

    /** Returns after the last fault. */
    private void injectAll(ChaosEnvironment site) throws InterruptedException {
        Instant began = Instant.now();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (PlannedFault fault : plan.faults()) {
                sleepUntil(began.plus(fault.at()));
                threads.execute(() -> inject(site, fault));
            }
            sleepUntil(began.plus(plan.length()));
        }
    }

    private static void sleepUntil(Instant time) throws InterruptedException {
        Thread.sleep(Duration.between(Instant.now(), time));
    }

    /** Skips a fault whose target has one already. */
    private void inject(ChaosEnvironment site, PlannedFault fault) {
        if (!activeTargets.add(fault.target())) {
            skipped(fault, "its target has another fault");
            return;
        }
        Instant began = Instant.now();
        try {
            int hits = fault.kind().injection().inject(site, fault);
            if (hits > 0) {
                tally.injected(fault.kind(), hits);
                log(
                        began,
                        fault,
                        "hit " + hits + ", over after "
                                + Duration.between(began, Instant.now()).toMillis() + " ms");
            } else {
                skipped(fault, "no target was found");
            }
        } catch (IOException unavailable) {
            skipped(fault, unavailable.toString());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException failed) {
            failures.add(fault + ": " + failed);
        } finally {
            activeTargets.remove(fault.target());
        }
    }

    private void skipped(PlannedFault fault, String why) {
        tally.skipped(fault.kind());
        log(Instant.now(), fault, "skipped: " + why);
    }

    private static void log(Instant at, PlannedFault fault, String what) {
        ResultTable.note("%s %s  %s", at.truncatedTo(ChronoUnit.SECONDS), fault, what);
    }

    FaultTally tally() {
        return tally;
    }

    OrderAudit audit() {
        return audit;
    }

    List<String> failures() {
        return List.copyOf(failures);
    }

    boolean isGood() {
        return failures.isEmpty() && tally.isAny() && audit.isGood();
    }

    void print() {
        ResultTable.note(
                "seed %d, %.1f minutes; injected: %s",
                plan.seed(), plan.length().toSeconds() / 60.0, tally);
        failures.forEach(failure -> ResultTable.note("WRONG: %s", failure));
        audit.print();
        ResultTable.note("%s", resolutions);
        System.out.println(audit.report());
    }
}
