package dev.berth.acceptance.chaos;

import dev.berth.acceptance.stack.SqsQueue;
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

/** Reads Berth's queues as well, so that some messages come late or twice. */
final class QueueFault {
    private static final List<String> QUEUES = List.of("task-events", "pool-claim");
    /** Readers per queue; so many that they receive most messages before Berth. */
    private static final int READERS = 16;
    /** A claim is void by then. */
    private static final int LATE_SECONDS = 4;

    private static final int SOON_SECONDS = 1;

    private QueueFault() {}

    static int delay(ChaosEnvironment site, PlannedFault fault) throws IOException, InterruptedException {
        // 4 to 13 s: a task's event may come after its next one.
        return readInParallel(site, fault, LATE_SECONDS + fault.place(), false);
    }

    static int repeat(ChaosEnvironment site, PlannedFault fault) throws IOException, InterruptedException {
        return readInParallel(site, fault, SOON_SECONDS, true);
    }

    /** Returns the number of received messages. */
    private static int readInParallel(ChaosEnvironment site, PlannedFault fault, int hiddenSeconds, boolean copies)
            throws IOException, InterruptedException {
        Instant end = Instant.now().plus(fault.lasts());
        Set<String> received = ConcurrentHashMap.newKeySet();
        List<Callable<Integer>> readers = new ArrayList<>();
        for (String name : QUEUES) {
            SqsQueue queue = SqsQueue.of(site.stack(), name);
            for (int number = 0; number < READERS; number++) {
                readers.add(() -> read(queue, end, hiddenSeconds, copies, received));
            }
        }
        int messages = 0;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Integer> reader : threads.invokeAll(readers)) {
                messages += reader.get();
            }
        } catch (ExecutionException unavailable) {
            throw new IOException(unavailable.getCause());
        }
        return messages;
    }

    private static int read(SqsQueue queue, Instant end, int hiddenSeconds, boolean copies, Set<String> received)
            throws IOException, InterruptedException {
        int messages = 0;
        while (Instant.now().isBefore(end)) {
            for (String body : queue.receive(hiddenSeconds)) {
                // A redelivered message and its copy count once.
                if (received.add(body)) {
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
