package dev.berth.host.worker;

import dev.berth.host.order.OrderActivitiesFactory;
import java.time.Instant;
import java.util.List;

/**
 * What a worker does now, as its metadata show it.
 *
 * @param currentOrder the oldest order that the worker is sending; empty when there is none
 * @param lastOrderAt when the worker received its last order; empty before the first
 * @param idleAt when the worker becomes idle; empty while there is a current order
 * @param sessions the accounts with a session, separated by commas
 */
record CurrentActivity(String currentOrder, String lastOrderAt, String idleAt, String sessions) {
    static CurrentActivity of(OrderActivitiesFactory activities, Idleness idleness) {
        return new CurrentActivity(
                activities.attempts().current().map(Object::toString).orElse(""),
                activities.attempts().lastStartedAt().map(Instant::toString).orElse(""),
                idleness.dueAt().map(Instant::toString).orElse(""),
                String.join(",", activities.sessions().accounts()));
    }

    List<String> fields() {
        return List.of(currentOrder, lastOrderAt, idleAt, sessions);
    }
}
