package dev.berth.acceptance.pool;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.SqsQueue;
import dev.berth.acceptance.stack.Stack;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;

/** The queue of claims, as any SQS client sees it. */
public record ClaimMessages(SqsQueue queue) {
    private static final ObjectMapper JSON = new ObjectMapper();

    public static ClaimMessages of(Stack stack) {
        return new ClaimMessages(SqsQueue.of(stack, "pool-claim"));
    }

    /** Sends a claim as the orchestrator does. */
    public void send(Trader trader, long epoch, String reservedTask) throws IOException, InterruptedException {
        queue.send(JSON.writeValueAsString(Map.of(
                "userId",
                trader.user(),
                "epoch",
                epoch,
                "reservedTask",
                reservedTask,
                "sentAt",
                Instant.now().toString())));
    }

    /** The number of messages not yet deleted, whether read or not. */
    int waiting() throws IOException, InterruptedException {
        return queue.waiting();
    }
}
