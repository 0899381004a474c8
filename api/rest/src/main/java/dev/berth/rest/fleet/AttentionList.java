package dev.berth.rest.fleet;

import dev.berth.activities.order.OrderQuery.Position;
import dev.berth.activities.order.OrdersInAttention;
import dev.berth.activities.order.OrdersInAttention.Waiting;
import dev.berth.rest.Problem;
import dev.berth.rest.order.Cursor;
import dev.berth.rest.order.OrderRequeue;
import dev.berth.temporal.client.FailingWorkflows;
import dev.berth.temporal.client.FailingWorkflows.FailingWorkflow;
import dev.berth.temporal.client.LifecycleIndex;
import dev.berth.temporal.client.LifecycleIndex.WorkerRow;
import dev.berth.temporal.client.Page;
import dev.berth.workflows.UserId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Workflows and workers from Temporal's visibility, then orders from the read model. */
@Component
class AttentionList {
    /** The first letter of a cursor names the list of the next page. They stand in this order. */
    private static final String IN_WORKFLOWS = "f";

    private static final String IN_WORKERS = "w";
    private static final String IN_ORDERS = "o";

    private final FailingWorkflows workflows;
    private final LifecycleIndex lifecycles;
    private final OrdersInAttention orders;
    private final OrderRequeue requeue;

    AttentionList(
            FailingWorkflows workflows, LifecycleIndex lifecycles, OrdersInAttention orders, OrderRequeue requeue) {
        this.workflows = workflows;
        this.lifecycles = lifecycles;
        this.orders = orders;
        this.requeue = requeue;
    }

    /**
     * A page of attention; without orders while PostgreSQL does not answer.
     *
     * @param answer has the servers that did not answer before
     * @param kind only this kind; null for all
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
        String next = cursor == null ? IN_WORKFLOWS : cursor;
        if (!Stream.of(IN_WORKFLOWS, IN_WORKERS, IN_ORDERS).anyMatch(next::startsWith)) {
            throw Problem.INVALID_REQUEST.because(
                    "cursor is not one that an earlier page gave. Begin without a cursor.");
        }
        if (next.startsWith(IN_WORKFLOWS)) {
            next = isWanted(kind, Attention.Kind.WORKFLOW)
                    ? addWorkflows(items, userId, limit, withoutLetter(next))
                    : IN_WORKERS;
        }
        if (next.startsWith(IN_WORKERS) && !isWanted(kind, Attention.Kind.WORKER)) {
            next = IN_ORDERS;
        } else if (next.startsWith(IN_WORKERS) && items.size() < limit) {
            next = addWorkers(items, userId, limit - items.size(), withoutLetter(next));
        }
        if (next.startsWith(IN_ORDERS) && !isWanted(kind, Attention.Kind.ORDER)) {
            return new AttentionPage(items, null, answer.missing());
        }
        return !next.startsWith(IN_ORDERS) || items.size() == limit
                ? new AttentionPage(items, next, answer.missing())
                : withOrders(answer, items, userId, limit, next);
    }

    private static boolean isWanted(Attention.@Nullable Kind only, Attention.Kind kind) {
        return only == null || only == kind;
    }

    /** Returns the cursor of what follows. */
    private String addWorkflows(List<Attention> items, @Nullable UserId userId, int limit, @Nullable String after) {
        Page<FailingWorkflow> page = workflows.page(userId, limit, after);
        page.items().forEach(row -> items.add(Attention.Workflow.of(row)));
        return page.nextCursor() == null ? IN_WORKERS : IN_WORKFLOWS + page.nextCursor();
    }

    /** Returns the cursor of what follows. */
    private String addWorkers(List<Attention> items, @Nullable UserId userId, int limit, @Nullable String after) {
        Page<WorkerRow> page = lifecycles.crashLooping(userId, limit, after);
        page.items().forEach(row -> items.add(Attention.Worker.of(row)));
        return page.nextCursor() == null ? IN_ORDERS : IN_WORKERS + page.nextCursor();
    }

    private AttentionPage withOrders(
            PartialAnswer answer, List<Attention> items, @Nullable UserId userId, int limit, String cursor) {
        int remaining = limit - items.size();
        Position after = cursor.equals(IN_ORDERS) ? null : Cursor.position(String.valueOf(withoutLetter(cursor)));
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

    /** The list's own cursor; null for its first page. */
    private static @Nullable String withoutLetter(String cursor) {
        return cursor.length() == 1 ? null : cursor.substring(1);
    }
}
