package dev.berth.acceptance.chaos;

import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Counts the injected faults. */
final class FaultTally {
    private final Map<FaultKind, Integer> injected = new EnumMap<>(FaultKind.class);
    private final Map<FaultKind, Integer> hits = new EnumMap<>(FaultKind.class);
    private final Map<FaultKind, Integer> skipped = new EnumMap<>(FaultKind.class);

    synchronized void injected(FaultKind kind, int hit) {
        injected.merge(kind, 1, Integer::sum);
        hits.merge(kind, hit, Integer::sum);
    }

    synchronized void skipped(FaultKind kind) {
        skipped.merge(kind, 1, Integer::sum);
    }

    synchronized int injected(FaultKind kind) {
        return injected.getOrDefault(kind, 0);
    }

    /** Whether any fault was injected. */
    synchronized boolean isAny() {
        return !injected.isEmpty();
    }

    /** {@code api-kill 3, sqs-repeat 2 (17 messages)} and so on, and the skipped faults. */
    @Override
    public synchronized String toString() {
        String all = injected.entrySet().stream()
                .map(it -> it.getKey().word() + " " + it.getValue() + details(it.getKey()))
                .collect(Collectors.joining(", "));
        String none = skipped.entrySet().stream()
                .map(it -> it.getKey().word() + " " + it.getValue())
                .collect(Collectors.joining(", "));
        return all + "; skipped: " + (none.isEmpty() ? "none" : none);
    }

    private String details(FaultKind kind) {
        int hit = hits.getOrDefault(kind, 0);
        return switch (kind) {
            case SQS_DELAY, SQS_REPEAT -> " (" + hit + " messages)";
            case WORKER_FREEZE -> " (" + (hit - injected(kind)) + " beside a successor)";
            default -> "";
        };
    }
}
