package dev.berth.local.venue;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;

/** Delays trade updates until their events are on disk, and delivers them in order. */
final class Outbox {

    private record Batch(long position, List<TradeUpdate> updates) {}

    private final Queue<Batch> waiting = new ArrayDeque<>();
    private Consumer<TradeUpdate> receiver = _ -> {};

    /** Replaces an earlier receiver. */
    synchronized void subscribe(Consumer<TradeUpdate> next) {
        receiver = next;
    }

    /** Positions must ascend. */
    synchronized void add(long position, List<TradeUpdate> updates) {
        waiting.add(new Batch(position, updates));
    }

    /** Delivers everything up to {@code durable}, a position of the journal. */
    synchronized void deliver(long durable) {
        for (var next = waiting.peek(); next != null && next.position <= durable; next = waiting.peek()) {
            waiting.remove();
            next.updates.forEach(receiver);
        }
    }
}
