package dev.berth.local.venue;

import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/** Draws the fault of each submission. Equal seeds and faults give equal draws. */
final class FaultDice {

    /** The fault of one submission. */
    enum SubmissionFault {
        NONE,
        HANG,
        REFUSE,
        SERVER_ERROR,
        DROP_ANSWER,
        REPLACE_ERROR
    }

    /** @param release completes when the submission may proceed, apart from the delay */
    record Draw(CompletableFuture<Void> release, Duration delay, SubmissionFault fault) {}

    private VenueFaults faults = VenueFaults.NONE;
    private RandomGenerator random = generator(faults);
    private CompletableFuture<Void> nextFaults = new CompletableFuture<>();

    synchronized void set(VenueFaults next) {
        faults = next;
        random = generator(next);
        nextFaults.completeAsync(() -> null, Thread::startVirtualThread);
        nextFaults = new CompletableFuture<>();
    }

    synchronized VenueFaults faults() {
        return faults;
    }

    /** @param replaces whether the submission is a replacement */
    synchronized Draw draw(boolean replaces) {
        CompletableFuture<Void> release = faults.hold() ? nextFaults : CompletableFuture.completedFuture(null);
        return new Draw(release, Duration.ofMillis(faults.delayMillis()), fault(replaces));
    }

    /** Each fault has its own draw; the first hit counts. */
    private SubmissionFault fault(boolean replaces) {
        if (hits(faults.hang())) {
            return SubmissionFault.HANG;
        }
        if (hits(faults.refuse())) {
            return SubmissionFault.REFUSE;
        }
        if (hits(faults.serverError())) {
            return SubmissionFault.SERVER_ERROR;
        }
        if (hits(faults.dropAnswer())) {
            return SubmissionFault.DROP_ANSWER;
        }
        return replaces && hits(faults.replaceError()) ? SubmissionFault.REPLACE_ERROR : SubmissionFault.NONE;
    }

    /** Whether the next trade update is to be swapped with the one after it. */
    synchronized boolean swapsUpdate() {
        return faults.swapUpdates() > 0 && hits(faults.swapUpdates());
    }

    synchronized boolean repeatsUpdate() {
        return faults.repeatUpdates() > 0 && hits(faults.repeatUpdates());
    }

    /** Whether the stream never says a word of the next order. */
    synchronized boolean silencesOrder() {
        return faults.silent() > 0 && hits(faults.silent());
    }

    synchronized boolean repeatsFixReport() {
        return faults.fixDuplicateReports() > 0 && hits(faults.fixDuplicateReports());
    }

    /** Whether the next outgoing FIX number is skipped. */
    synchronized boolean skipsFixNumber() {
        return faults.fixSequenceGap() > 0 && hits(faults.fixSequenceGap());
    }

    /** Half of {@code fixDisconnect}: the connection is cut before the message is read. */
    synchronized boolean cutsFixBefore() {
        return faults.fixDisconnect() > 0 && hits(faults.fixDisconnect() / 2);
    }

    /** The other half, for a message that {@link #cutsFixBefore} spared. */
    synchronized boolean cutsFixAfter() {
        return faults.fixDisconnect() > 0 && hits(faults.fixDisconnect() / (2 - faults.fixDisconnect()));
    }

    synchronized boolean requestsFixResend() {
        return faults.fixResendRequest() > 0 && hits(faults.fixResendRequest());
    }

    synchronized Optional<ProxyAnswer> proxyAnswer(String method, String path) {
        return faults.answers().stream()
                .filter(answer -> answer.isFor(method, path))
                .filter(answer -> hits(answer.probability()))
                .findFirst();
    }

    private boolean hits(double probability) {
        return random.nextDouble() < probability;
    }

    private static RandomGenerator generator(VenueFaults faults) {
        return faults.seed() == null ? new Random() : new Random(faults.seed());
    }
}
