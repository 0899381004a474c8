package dev.berth.api.fleet;

import dev.berth.activities.order.OrdersInAttention;
import dev.berth.activities.order.OrdersInAttention.Waiting;
import dev.berth.api.order.Cursor;
import dev.berth.api.order.OrderRequeue;
import dev.berth.workflows.UserId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Lists what waits for a person: from Temporal's index of workflows, then from the read model of orders. */
@Component
class AttentionList {
    /** The first letter of a cursor says in which of the two lists the next page begins. */
    private static final String IN_WORKERS = "w";

    private static final String IN_ORDERS = "o";

    private final FleetIndex index;
    private final OrdersInAttention orders;
    private final OrderRequeue requeue;

    AttentionList(FleetIndex index, OrdersInAttention orders, OrderRequeue requeue) {
        this.index = index;
        this.orders = orders;
        this.requeue = requeue;
    }

    /**
     * A page of it.
     *
     * @param kind only these; null for all
     * @param userId only this user's; null for everybody's
     * @param cursor of an earlier page; null for the first
     */
    AttentionPage page(Attention.@Nullable Kind kind, @Nullable UserId userId, int limit, @Nullable String cursor) {
        List<Attention> items = new ArrayList<>();
        if (kind != Attention.Kind.ORDER && (cursor == null || cursor.startsWith(IN_WORKERS))) {
            FleetPage workers =
                    index.crashLooping(userId, limit, cursor == null ? null : cursor.substring(IN_WORKERS.length()));
            workers.workers().forEach(row -> items.add(Attention.Worker.of(row)));
            if (workers.nextCursor() != null) {
                return new AttentionPage(items, IN_WORKERS + workers.nextCursor());
            }
        }
        if (kind == Attention.Kind.WORKER) {
            return new AttentionPage(items, null);
        }
        return withOrders(items, userId, limit, cursor);
    }

    private AttentionPage withOrders(
            List<Attention> items, @Nullable UserId userId, int limit, @Nullable String cursor) {
        int room = limit - items.size();
        if (room == 0) {
            return new AttentionPage(items, IN_ORDERS);
        }
        boolean goesOn = cursor != null && !cursor.startsWith(IN_WORKERS) && !cursor.equals(IN_ORDERS);
        List<Waiting> page =
                orders.page(userId, room, goesOn ? Cursor.position(withoutLetter(String.valueOf(cursor))) : null);
        page.forEach(waiting -> items.add(Attention.Order.of(waiting, requeue.objection(waiting.order()))));
        String next =
                page.size() < room ? null : IN_ORDERS + Cursor.of(page.getLast().position());
        return new AttentionPage(items, next);
    }

    /** What is no cursor of this list is none of the other either. */
    private static String withoutLetter(String cursor) {
        return cursor.startsWith(IN_ORDERS) ? cursor.substring(IN_ORDERS.length()) : "";
    }
}
