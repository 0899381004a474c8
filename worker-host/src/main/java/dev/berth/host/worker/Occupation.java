package dev.berth.host.worker;

import dev.berth.host.order.OrderDesk;
import java.time.Instant;
import java.util.List;

/**
 * What a worker does now, as its metadata say it.
 *
 * @param currentOrder the order in hand, the oldest of several; empty when it has none
 * @param lastOrderAt when it took its last order; empty before the first
 * @param idleAt when it stops for want of orders; empty while it has one in hand
 * @param sessions the accounts whose sessions it has, by commas
 */
record Occupation(String currentOrder, String lastOrderAt, String idleAt, String sessions) {
    static Occupation of(OrderDesk desk, Idleness idleness) {
        return new Occupation(
                desk.attempts().current().map(Object::toString).orElse(""),
                desk.attempts().lastTakenAt().map(Instant::toString).orElse(""),
                idleness.dueAt().map(Instant::toString).orElse(""),
                String.join(",", desk.sessions().names()));
    }

    List<String> fields() {
        return List.of(currentOrder, lastOrderAt, idleAt, sessions);
    }
}
