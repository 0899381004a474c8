package dev.berth.host.order;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.Latest;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.VenueReport;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The attempts that this process has in hand, and those that it must never begin, because somebody was already told
 * that they were not sent.
 */
public final class Attempts {
    /** An attempt that comes after ten thousand other questions has long been given up by the server. */
    private static final int FORBIDDEN_KEPT = 10_000;

    /** One order in hand. */
    static final class Attempt {
        private final CountDownLatch ended = new CountDownLatch(1);
        private final Instant takenAt = Instant.now();
        private final Set<Execution> executions = new LinkedHashSet<>();
        private @Nullable VenueReport news;

        /** False when it has ended: then nobody would hear of it here any more. */
        private synchronized boolean keep(VenueReport report) {
            if (ended.getCount() == 0) {
                return false;
            }
            executions.addAll(report.executions());
            if (news == null || !isBefore(report, news)) {
                news = report;
            }
            notifyAll();
            return true;
        }

        private static boolean isBefore(VenueReport one, VenueReport other) {
            return one.updatedAt() != null
                    && other.updatedAt() != null
                    && one.updatedAt().isBefore(other.updatedAt());
        }

        private synchronized Optional<VenueReport> end() {
            ended.countDown();
            return Optional.ofNullable(news).map(last -> last.with(List.copyOf(executions)));
        }

        /** The executions that were told, as soon as they add up to {@code filled}; those there are after {@code patience}. */
        synchronized List<Execution> awaitExecutions(Decimal filled, Duration patience) {
            long deadline = System.nanoTime() + patience.toNanos();
            try {
                while (Execution.total(executions).compareTo(filled.value()) < 0) {
                    long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                    if (left <= 0) {
                        break;
                    }
                    wait(left);
                }
            } catch (InterruptedException givenUp) {
                // The answer is there, and worth more than the executions, which may still be told by signal.
                Thread.currentThread().interrupt();
            }
            return List.copyOf(executions);
        }
    }

    private final Map<ClientOrderId, Attempt> inHand = new ConcurrentHashMap<>();
    private final Map<ClientOrderId, Integer> forbidden = new Latest<>(FORBIDDEN_KEPT);
    private final Instant begunAt = Instant.now();
    private volatile @Nullable Instant lastTakenAt;
    private volatile long lastTakenNanos = System.nanoTime();

    /** Takes the attempt in hand; empty when it must not begin. */
    synchronized Optional<Attempt> begin(ClientOrderId id, int number) {
        if (inHand.containsKey(id)) {
            throw new IllegalStateException("another attempt of order " + id + " is in hand and may still write");
        }
        if (number <= forbidden.getOrDefault(id, 0)) {
            return Optional.empty();
        }
        Attempt attempt = new Attempt();
        lastTakenAt = attempt.takenAt;
        lastTakenNanos = System.nanoTime();
        inHand.put(id, attempt);
        return Optional.of(attempt);
    }

    /** The attempt can not write any more; answers the newest report and all executions that came meanwhile. */
    Optional<VenueReport> end(ClientOrderId id, Attempt attempt) {
        inHand.remove(id, attempt);
        return attempt.end();
    }

    /** From now on the attempt does not begin; one that is in hand may still write. */
    synchronized @Nullable Attempt forbid(ClientOrderId id, int number) {
        forbidden.merge(id, number, Math::max);
        return inHand.get(id);
    }

    /**
     * Waits until this process can not write the attempt any more, and keeps it from beginning.
     *
     * @return false when it still may after {@code seconds}
     */
    boolean awaitEnd(ClientOrderId id, int number, long seconds) throws InterruptedException {
        Attempt attempt = forbid(id, number);
        return attempt == null || attempt.ended.await(seconds, TimeUnit.SECONDS);
    }

    /** Keeps news of an order in hand for its answer; false when the order is not in hand. */
    public boolean keepNews(ClientOrderId id, VenueReport report) {
        Attempt attempt = inHand.get(id);
        return attempt != null && attempt.keep(report);
    }

    /** Whether none is in hand, nor was one taken within this time; a process counts as if it began with one. */
    public boolean isIdleFor(Duration time) {
        return inHand.isEmpty() && System.nanoTime() - lastTakenNanos >= time.toNanos();
    }

    /** The order in hand; the oldest of several. */
    public Optional<ClientOrderId> current() {
        return inHand.entrySet().stream()
                .min(Comparator.comparing(order -> order.getValue().takenAt))
                .map(Map.Entry::getKey);
    }

    /** When the last order was taken; a process counts as if it began with one. */
    public Instant quietSince() {
        return lastTakenAt().orElse(begunAt);
    }

    /** When the last order was taken. */
    public Optional<Instant> lastTakenAt() {
        return Optional.ofNullable(lastTakenAt);
    }
}
