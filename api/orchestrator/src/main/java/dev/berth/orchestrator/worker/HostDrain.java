package dev.berth.orchestrator.worker;

import dev.berth.activities.maintenance.DrainingHosts;
import dev.berth.process.PeriodicTask;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;

/**
 * Empties hosts that drain, a few workers at a time. Every replica looks: what it asks for may be
 * asked for again. A notice of a spot host leaves two minutes.
 */
@Component
class HostDrain extends PeriodicTask {
    private static final Duration EVERY = Duration.ofSeconds(2);
    /** A full host of 30 workers is asked for in 15 s; each needs a launch elsewhere. */
    private static final int AT_A_TIME = 4;
    /** While the host drains; a request counts for a minute and a half. */
    private static final Duration AGAIN = Duration.ofSeconds(30);

    private final DrainingHosts hosts;
    private final Map<String, Instant> asked = new HashMap<>();

    HostDrain(DrainingHosts hosts) {
        super("host-drain", EVERY);
        this.hosts = hosts;
    }

    @Override
    protected void round() {
        List<String> tasks = hosts.tasks();
        asked.keySet().retainAll(tasks);
        Instant now = Instant.now();
        List<String> next = tasks.stream()
                .filter(task ->
                        !asked.getOrDefault(task, Instant.EPOCH).plus(AGAIN).isAfter(now))
                .limit(AT_A_TIME)
                .toList();
        if (!next.isEmpty()) {
            hosts.leave(next);
            next.forEach(task -> asked.put(task, now));
        }
    }
}
