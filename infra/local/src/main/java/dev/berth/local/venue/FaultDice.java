package dev.berth.local.venue;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/** Draws what happens to each submission. Equal seed, equal faults: equal draws. */
final class FaultDice {

    /** What goes wrong with one submission, if anything. */
    enum Fault {
        NONE,
        HANG,
        REFUSE,
        SERVER_ERROR,
        DROP_ANSWER
    }

    /** @param release completes when the submission need not wait any more, but for the delay */
    record Draw(CompletableFuture<Void> release, Duration delay, Fault fault) {}

    private Faults faults = Faults.NONE;
    private RandomGenerator random = generator(faults);
    private CompletableFuture<Void> nextFaults = new CompletableFuture<>();

    synchronized void set(Faults next) {
        faults = next;
        random = generator(next);
        nextFaults.completeAsync(() -> null, Thread::startVirtualThread);
        nextFaults = new CompletableFuture<>();
    }

    synchronized Faults faults() {
        return faults;
    }

    synchronized Draw draw() {
        CompletableFuture<Void> release = faults.hold() ? nextFaults : CompletableFuture.completedFuture(null);
        return new Draw(release, Duration.ofMillis(faults.delayMillis()), fault());
    }

    /** Each fault has its own throw; the first that hits counts. */
    private Fault fault() {
        if (hits(faults.hang())) {
            return Fault.HANG;
        }
        if (hits(faults.refuse())) {
            return Fault.REFUSE;
        }
        if (hits(faults.serverError())) {
            return Fault.SERVER_ERROR;
        }
        return hits(faults.dropAnswer()) ? Fault.DROP_ANSWER : Fault.NONE;
    }

    private boolean hits(double probability) {
        return random.nextDouble() < probability;
    }

    private static RandomGenerator generator(Faults faults) {
        return faults.seed() == null ? new Random() : new Random(faults.seed());
    }
}
