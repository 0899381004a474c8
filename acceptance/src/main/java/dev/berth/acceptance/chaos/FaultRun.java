package dev.berth.acceptance.chaos;

import dev.berth.acceptance.Stack;
import dev.berth.acceptance.bench.Crew;
import dev.berth.acceptance.bench.OrderAudit;
import dev.berth.acceptance.bench.Table;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Ten users trade while the faults of a plan happen; then everything is put right, and every order is looked at. */
final class FaultRun {
    private final Stack stack;
    private final Plan plan;
    private final OrderAudit audit;
    private final FaultTally tally = new FaultTally();
    private final Set<String> hit = ConcurrentHashMap.newKeySet();
    /** What the run itself did wrong: then nobody knows what it proves. */
    private final List<String> failures = new CopyOnWriteArrayList<>();

    FaultRun(Stack stack, Plan plan) {
        this.stack = stack;
        this.plan = plan;
        this.audit = new OrderAudit(stack);
    }

    void run() throws IOException, InterruptedException {
        Crew crew = new Crew(stack, new Random(plan.seed()), true);
        Site site = new Site(stack, crew);
        try (crew) {
            injectAll(site);
            site.restore();
        }
        audit.check(crew.all(), site.freezes());
    }

    /** Returns when the last is over. */
    private void injectAll(Site site) throws InterruptedException {
        Instant began = Instant.now();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Fault fault : plan.faults()) {
                sleepUntil(began.plus(fault.at()));
                threads.execute(() -> inject(site, fault));
            }
            sleepUntil(began.plus(plan.length()));
        }
    }

    private static void sleepUntil(Instant time) throws InterruptedException {
        Thread.sleep(Duration.between(Instant.now(), time));
    }

    /** What is down already can not be made worse. */
    private void inject(Site site, Fault fault) {
        if (!hit.add(fault.target())) {
            skipped(fault, "its target is down already");
            return;
        }
        Instant began = Instant.now();
        try {
            int hits = fault.kind().injection().inject(site, fault);
            if (hits > 0) {
                tally.injected(fault.kind(), hits);
                say(
                        began,
                        fault,
                        "hit " + hits + ", over after "
                                + Duration.between(began, Instant.now()).toMillis() + " ms");
            } else {
                skipped(fault, "there was nothing to hit");
            }
        } catch (IOException away) {
            skipped(fault, String.valueOf(away.getMessage()));
        } catch (InterruptedException cutOff) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException failed) {
            failures.add(fault + ": " + failed);
        } finally {
            hit.remove(fault.target());
        }
    }

    private void skipped(Fault fault, String why) {
        tally.skipped(fault.kind());
        say(Instant.now(), fault, "skipped: " + why);
    }

    private static void say(Instant at, Fault fault, String what) {
        Table.note("%s %s  %s", at.truncatedTo(ChronoUnit.SECONDS), fault, what);
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
        return failures.isEmpty() && audit.isGood();
    }

    void print() {
        Table.note(
                "seed %d, %.1f minutes; injected: %s",
                plan.seed(), plan.length().toSeconds() / 60.0, tally);
        failures.forEach(failure -> Table.note("WRONG, the run itself: %s", failure));
        audit.print();
        System.out.println(audit.report());
    }
}
