package dev.berth.acceptance.demo;

import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.Worker;
import java.time.Duration;
import java.time.Instant;

/**
 * What became of the worker that was killed.
 *
 * @param pid of the process that was killed
 * @param next the worker that came after it
 * @param order the order that was in its hands, as it ended
 */
record DemoKill(String orderId, long pid, Instant killed, Worker next, PlacedOrder order) {

    long millisToNextWorker() {
        return Duration.between(killed, next.since()).toMillis();
    }

    long millisToAnswer() {
        return Duration.between(killed, order.finalAt()).toMillis();
    }
}
