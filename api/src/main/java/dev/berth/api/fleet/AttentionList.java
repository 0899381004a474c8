package dev.berth.api.fleet;

import dev.berth.activities.order.OrderQuery.Position;
import dev.berth.activities.order.OrdersInAttention;
import dev.berth.activities.order.OrdersInAttention.Waiting;
import dev.berth.activities.temporal.LifecycleIndex;
import dev.berth.api.order.Cursor;
import dev.berth.api.order.OrderRequeue;
import dev.berth.workflows.UserId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Lists attention: workers from Temporal visibility, then orders from the read model. */
@Component
class AttentionList {
    /** The first letter of a cursor names the list of the next page. */
    private static final String IN_WORKERS = "w";

    private static final String IN_ORDERS = "o";

    private final LifecycleIndex lifecycles;
    private final OrdersInAttention orders;
    private final OrderRequeue requeue;

    AttentionList(LifecycleIndex lifecycles, OrdersInAttention orders, OrderRequeue requeue) {
        this.lifecycles = lifecycles;
        this.orders = orders;
        this.requeue = requeue;
    }

    /**
     * A page of attention; without orders while PostgreSQL does not answer.
     *
     * @param answer has the servers that did not answer before
     * @param kind only this kind; null for both
     * @param userId only this user; null for all
     * @param cursor of an earlier page; null for the first
     */
    AttentionPage page(
            PartialAnswer answer,
            Attention.@Nullable Kind kind,
            @Nullable UserId userId,
            int limit,
            @Nullable String cursor) {
        List<Attention> items = new ArrayList<>();
        if (kind != Attention.Kind.ORDER && (cursor == null || cursor.startsWith(IN_WORKERS))) {
            LifecycleIndex.WorkerPage workers = lifecycles.crashLooping(
                    userId, limit, cursor == null ? null : cursor.substring(IN_WORKERS.length()));
            workers.workers().forEach(row -> items.add(Attention.Worker.of(row)));
            if (workers.nextCursor() != null) {
                return new AttentionPage(items, IN_WORKERS + workers.nextCursor(), answer.missing());
            }
        }
        if (kind == Attention.Kind.WORKER) {
            return new AttentionPage(items, null, answer.missing());
        }
        return withOrders(answer, items, userId, limit, cursor);
    }

    private AttentionPage withOrders(
            PartialAnswer answer, List<Attention> items, @Nullable UserId userId, int limit, @Nullable String cursor) {
        int remaining = limit - items.size();
        if (remaining == 0) {
            return new AttentionPage(items, IN_ORDERS, answer.missing());
        }
        boolean isContinued = cursor != null && !cursor.startsWith(IN_WORKERS) && !cursor.equals(IN_ORDERS);
        Position after = isContinued ? Cursor.position(withoutLetter(String.valueOf(cursor))) : null;
        List<Waiting> page = answer.read(PartialAnswer.POSTGRESQL, () -> orders.page(userId, remaining, after));
        if (page == null) {
            return new AttentionPage(items, null, answer.missing());
        }
        page.forEach(waiting -> items.add(Attention.Order.of(waiting, requeue.objection(waiting.order()))));
        String next = page.size() < remaining
                ? null
                : IN_ORDERS + Cursor.of(page.getLast().position());
        return new AttentionPage(items, next, answer.missing());
    }

    /** Any other text is an invalid cursor. */
    private static String withoutLetter(String cursor) {
        return cursor.startsWith(IN_ORDERS) ? cursor.substring(IN_ORDERS.length()) : "";
    }
}
