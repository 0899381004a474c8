package dev.berth.workflows.position;

import dev.berth.workflows.FailureType;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An API that accepts orders once by their id, and hands them to the venue. */
final class ModelOrders implements ClosingOrders {
    private final ModelAccount account;
    private final Set<String> accepted = new HashSet<>();
    final List<ClosingOrder> submitted = new ArrayList<>();
    final List<UnansweredOrder> unanswered = new ArrayList<>();
    /** By symbol, why orders are refused. */
    final Map<String, RefusedClose> refusals = new LinkedHashMap<>();
    /** So often an order is not admitted yet. */
    int busy;
    /** So often the answer to an accepted order is lost. */
    int lostAnswers;

    ModelOrders(ModelAccount account) {
        this.account = account;
    }

    @Override
    public synchronized List<UnansweredOrder> unanswered(UserId userId, AccountKey key) {
        return List.copyOf(unanswered);
    }

    @Override
    public synchronized @Nullable RefusedClose check(CloseRequest request, ClosingOrder order) {
        return request.passesKillSwitches() ? null : refusals.get(order.symbol());
    }

    @Override
    public synchronized @Nullable RefusedClose submit(CloseRequest request, ClosingOrder order) {
        if (busy > 0) {
            busy--;
            RefusedClose refusal = new RefusedClose("order-rate", "Too fast.");
            throw FailureType.NOT_ADMITTED.failure("too fast", Duration.ofSeconds(1), refusal);
        }
        if (accepted.add(order.clientOrderId().value())) {
            submitted.add(order);
            account.take(order);
        }
        if (lostAnswers > 0) {
            lostAnswers--;
            throw new IllegalStateException("the replica died");
        }
        return null;
    }
}
