package dev.berth.host.order;

import dev.berth.workflows.BoundedMap;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.ExecutionReport;
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
 * The attempts to submit or replace orders that this process is writing, and those that it must
 * never
 * start because a look-up already reported them as not sent.
 */
public final class Attempts {
    /** The server has long given up an attempt that arrives after so many look-ups. */
    private static final int MAX_FORBIDDEN = 10_000;

    /** One attempt that this process is writing. */
    static final class Attempt {
        private final CountDownLatch ended = new CountDownLatch(1);
        private final Instant startedAt = Instant.now();
        private final Set<Execution> executions = new LinkedHashSet<>();
        private @Nullable ExecutionReport newest;

        /** False when the attempt has ended: its result carries no further report. */
        private synchronized boolean keep(ExecutionReport report) {
            if (ended.getCount() == 0) {
                return false;
            }
            executions.addAll(report.executions());
            if (newest == null || !isBefore(report, newest)) {
                newest = report;
            }
            notifyAll();
            return true;
        }

        /** Executions that the answer itself names. */
        synchronized void add(List<Execution> answered) {
            executions.addAll(answered);
        }

        private static boolean isBefore(ExecutionReport one, ExecutionReport other) {
            int growth = one.filledQuantity().compareTo(other.filledQuantity());
            if (growth != 0 && !one.reportsBust()) {
                return growth < 0;
            }
            if (one.status().isFinal() != other.status().isFinal()) {
                return other.status().isFinal();
            }
            return one.updatedAt() != null
                    && other.updatedAt() != null
                    && one.updatedAt().isBefore(other.updatedAt());
        }

        private synchronized Optional<ExecutionReport> end() {
            ended.countDown();
            return Optional.ofNullable(newest).map(report -> report.withExecutions(List.copyOf(executions)));
        }

        /**
         * The reported executions as soon as they add up to {@code filled}, or after the timeout.
         */
        synchronized List<Execution> awaitExecutions(Decimal filled, Duration timeout) {
            long deadline = System.nanoTime() + timeout.toNanos();
            try {
                while (Execution.total(executions).compareTo(filled.value()) < 0) {
                    long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                    if (left <= 0) {
                        break;
                    }
                    wait(left);
                }
            } catch (InterruptedException closing) {
                // The result matters more than its executions, which may still arrive by signal.
                Thread.currentThread().interrupt();
            }
            return List.copyOf(executions);
        }
    }

    private final Map<ClientOrderId, Attempt> running = new ConcurrentHashMap<>();
    private final Map<ClientOrderId, Integer> forbidden = new BoundedMap<>(MAX_FORBIDDEN);
    private final Instant createdAt = Instant.now();
    private volatile @Nullable Instant lastStartedAt;
    private volatile long lastStartedNanos = System.nanoTime();

    /** Starts an attempt; empty when it is forbidden. */
    synchronized Optional<Attempt> begin(ClientOrderId id, int number) {
        if (running.containsKey(id)) {
            throw new IllegalStateException("another attempt of order " + id + " is running and may still write");
        }
        if (number <= forbidden.getOrDefault(id, 0)) {
            return Optional.empty();
        }
        Attempt attempt = new Attempt();
        lastStartedAt = attempt.startedAt;
        lastStartedNanos = System.nanoTime();
        running.put(id, attempt);
        return Optional.of(attempt);
    }

    /** The attempt cannot write any more; returns the newest report with all executions. */
    Optional<ExecutionReport> end(ClientOrderId id, Attempt attempt) {
        running.remove(id, attempt);
        return attempt.end();
    }

    /** The attempt must not start any more; one that is running may still write. */
    synchronized @Nullable Attempt forbid(ClientOrderId id, int number) {
        forbidden.merge(id, number, Math::max);
        return running.get(id);
    }

    /**
     * Forbids the attempt, and waits until this process cannot write it any more.
     *
     * @return false when the attempt may still be written after {@code seconds}
     */
    boolean awaitEnd(ClientOrderId id, int number, long seconds) throws InterruptedException {
        Attempt attempt = forbid(id, number);
        return attempt == null || attempt.ended.await(seconds, TimeUnit.SECONDS);
    }

    /**
     * Keeps a report for the result of a running attempt; false when none of the order is running.
     */
    public boolean keepReport(ClientOrderId id, ExecutionReport report) {
        Attempt attempt = running.get(id);
        return attempt != null && attempt.keep(report);
    }

    /**
     * No attempt is running, and none has started within this time; counts from the process's
     * start.
     */
    public boolean isIdleFor(Duration time) {
        return running.isEmpty() && System.nanoTime() - lastStartedNanos >= time.toNanos();
    }

    /** The oldest order that is being sent. */
    public Optional<ClientOrderId> current() {
        return running.entrySet().stream()
                .min(Comparator.comparing(order -> order.getValue().startedAt))
                .map(Map.Entry::getKey);
    }

    /** When the last attempt started; before the first, when the process started. */
    public Instant idleSince() {
        return lastStartedAt().orElse(createdAt);
    }

    public Optional<Instant> lastStartedAt() {
        return Optional.ofNullable(lastStartedAt);
    }
}
