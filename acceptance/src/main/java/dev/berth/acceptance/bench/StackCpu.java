package dev.berth.acceptance.bench;

import dev.berth.acceptance.stack.Stack;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The CPU time that the processes of a stack have used.
 *
 * @param parts by server; {@code workers} has all of them together
 */
record StackCpu(Map<String, Duration> parts) {
    private static final String WORKERS = "workers";
    /** The servers that an order of the baseline needs, too. */
    private static final List<String> SHARED = List.of("temporal", "venue");

    private static final List<String> SERVERS =
            List.of("api", "gateway", "postgres", "redis", "sqs", "ecs", "temporal", "venue");

    static StackCpu now(Stack stack) throws IOException {
        Map<String, Duration> parts = new TreeMap<>();
        for (String server : SERVERS) {
            parts.put(server, stack.process(server).cpu());
        }
        parts.put(WORKERS, Duration.ZERO);
        for (HostProcess worker : HostProcess.of(stack)) {
            Duration used = worker.process().info().totalCpuDuration().orElse(Duration.ZERO);
            parts.merge(WORKERS, used, Duration::plus);
        }
        return new StackCpu(parts);
    }

    StackCpu since(StackCpu before) {
        Map<String, Duration> used = new TreeMap<>(parts);
        before.parts.forEach((part, time) -> used.merge(part, time.negated(), Duration::plus));
        return new StackCpu(used);
    }

    Duration all() {
        return parts.values().stream().reduce(Duration.ZERO, Duration::plus);
    }

    /** Of the servers that the baseline uses, too. */
    Duration shared() {
        return SHARED.stream()
                .map(server -> parts.getOrDefault(server, Duration.ZERO))
                .reduce(Duration.ZERO, Duration::plus);
    }

    /** Milliseconds an order, each part. */
    String perOrder(int orders) {
        return parts.entrySet().stream()
                .filter(part -> part.getValue().toMillis() > 0)
                .map(part -> String.format(
                        Locale.ROOT, "%s %.1f", part.getKey(), part.getValue().toNanos() / 1e6 / orders))
                .collect(Collectors.joining(", "));
    }
}
