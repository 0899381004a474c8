package dev.berth.acceptance.chaos;

import dev.berth.acceptance.SqsQueue;
import java.io.IOException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Somebody else reads Berth's queues too: some of the messages come late, or twice. */
final class QueueFault {
    private static final List<String> QUEUES = List.of("task-events", "pool-claim");
    /** A claim is void by then. */
    private static final int LATE_SECONDS = 4;

    private static final int SOON_SECONDS = 1;

    private QueueFault() {}

    static int delay(Site site, Fault fault) throws IOException, InterruptedException {
        // From 4 to 13 s: a state change may then be told after the next one.
        return meddle(site, fault, LATE_SECONDS + fault.place(), false);
    }

    static int repeat(Site site, Fault fault) throws IOException, InterruptedException {
        return meddle(site, fault, SOON_SECONDS, true);
    }

    private static int meddle(Site site, Fault fault, int hiddenSeconds, boolean copies)
            throws IOException, InterruptedException {
        Instant end = Instant.now().plus(fault.lasts());
        Set<String> met = new HashSet<>();
        while (Instant.now().isBefore(end)) {
            for (String name : QUEUES) {
                SqsQueue queue = SqsQueue.of(site.stack(), name);
                for (String body : queue.receive(hiddenSeconds)) {
                    // A copy is not copied again.
                    if (met.add(body) && copies) {
                        queue.send(body);
                    }
                }
            }
        }
        return met.size();
    }
}
