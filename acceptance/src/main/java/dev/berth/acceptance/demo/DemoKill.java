package dev.berth.acceptance.demo;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;

/**
 * What became of the worker that was killed.
 *
 * @param pid of the process that was killed
 * @param next the worker that came after it
 * @param order the order that was in its hands, as it ended
 */
record DemoKill(String orderId, long pid, Instant killed, JsonNode next, JsonNode order) {

    long millisToNextWorker() {
        return millisUntil(next.path("since"));
    }

    long millisToAnswer() {
        return millisUntil(order.path("finalAt"));
    }

    private long millisUntil(JsonNode moment) {
        return Duration.between(killed, Instant.parse(moment.asText())).toMillis();
    }
}
