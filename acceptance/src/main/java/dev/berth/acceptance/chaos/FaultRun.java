package dev.berth.acceptance.chaos;

import dev.berth.acceptance.Stack;
import dev.berth.acceptance.bench.Crew;
import dev.berth.acceptance.bench.OrderAudit;
import dev.berth.acceptance.bench.Settlement;
import dev.berth.acceptance.bench.Table;
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

/** Ten users trade while the faults of a plan happen; then everything is put right, and every order is looked at. */
final class FaultRun {
    /** Longer than a crash loop's longest pause, and than a sweep needs for what was lost. */
    private static final Duration SETTLED = Duration.ofMinutes(6);

    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    private final Stack stack;
    private final Plan plan;
    private final OrderAudit audit;
    private final FaultTally tally = new FaultTally();
    private final Set<String> hit = ConcurrentHashMap.newKeySet();
    /** What is wrong besides the orders; if the run itself went wrong, nobody knows what it proves. */
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
            settle(crew);
        }
        audit.check(crew.all(), site.freezes());
    }

    /** With every fault over, nobody is without a worker for long, or has two, and no process serves nobody. */
    private void settle(Crew crew) throws InterruptedException {
        Instant latest = Instant.now().plus(SETTLED);
        Optional<String> missing;
        do {
            Thread.sleep(LOOK_AGAIN);
            missing = missing(crew);
        } while (missing.isPresent() && Instant.now().isBefore(latest));
        missing.ifPresent(it -> failures.add("not settled after " + SETTLED.toMinutes() + " min: " + it));
    }

    private Optional<String> missing(Crew crew) throws InterruptedException {
        try {
            return Settlement.of(stack, crew).missing();
        } catch (IOException away) {
            return Optional.of(away.toString());
        }
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
            skipped(fault, away.toString());
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
        return failures.isEmpty() && tally.isAny() && audit.isGood();
    }

    void print() {
        Table.note(
                "seed %d, %.1f minutes; injected: %s",
                plan.seed(), plan.length().toSeconds() / 60.0, tally);
        failures.forEach(failure -> Table.note("WRONG: %s", failure));
        audit.print();
        System.out.println(audit.report());
    }
}
