package dev.berth.local.venue;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Delays trade updates until their events are on disk, and delivers them in order. */
final class Outbox {

    private record Batch(long position, List<TradeUpdate> updates) {}

    private final Queue<Batch> waiting = new ArrayDeque<>();
    private final LongConsumer delivered;
    private @Nullable Consumer<TradeUpdate> receiver;

    /** @param delivered gets the position up to which the receiver has all updates */
    Outbox(LongConsumer delivered) {
        this.delivered = delivered;
    }

    /** Updates wait for the first receiver; a later one replaces it. */
    synchronized void subscribe(Consumer<TradeUpdate> next) {
        receiver = next;
    }

    /** Positions must ascend. */
    synchronized void add(long position, List<TradeUpdate> updates) {
        waiting.add(new Batch(position, updates));
    }

    /** Delivers everything up to {@code durable}, a position of the journal. */
    synchronized void deliver(long durable) {
        if (receiver == null) {
            return;
        }
        for (var next = waiting.peek(); next != null && next.position <= durable; next = waiting.peek()) {
            waiting.remove();
            if (!next.updates.isEmpty()) {
                next.updates.forEach(receiver);
                delivered.accept(next.position);
            }
        }
    }
}
