package dev.berth.acceptance.chaos;

import dev.berth.acceptance.SqsQueue;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Somebody else reads Berth's queues too: some of the messages come late, or twice. */
final class QueueFault {
    private static final List<String> QUEUES = List.of("task-events", "pool-claim");
    /** Of each queue; so many that most messages come to them first, since Berth is always waiting for one. */
    private static final int READERS = 16;
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

    /** How many messages it met. */
    private static int meddle(Site site, Fault fault, int hiddenSeconds, boolean copies)
            throws IOException, InterruptedException {
        Instant end = Instant.now().plus(fault.lasts());
        Set<String> met = ConcurrentHashMap.newKeySet();
        List<Callable<Integer>> readers = new ArrayList<>();
        for (String name : QUEUES) {
            SqsQueue queue = SqsQueue.of(site.stack(), name);
            for (int number = 0; number < READERS; number++) {
                readers.add(() -> read(queue, end, hiddenSeconds, copies, met));
            }
        }
        int messages = 0;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Integer> reader : threads.invokeAll(readers)) {
                messages += reader.get();
            }
        } catch (ExecutionException away) {
            throw new IOException(away.getCause());
        }
        return messages;
    }

    private static int read(SqsQueue queue, Instant end, int hiddenSeconds, boolean copies, Set<String> met)
            throws IOException, InterruptedException {
        int messages = 0;
        while (Instant.now().isBefore(end)) {
            for (String body : queue.receive(hiddenSeconds)) {
                // Neither it when it comes back, nor its copy.
                if (met.add(body)) {
                    messages++;
                    if (copies) {
                        queue.send(body);
                    }
                }
            }
        }
        return messages;
    }
}
