package dev.berth.workflows.masscancel;

import static dev.berth.workflows.Samples.ALICE;
import static dev.berth.workflows.Samples.PAPER;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.masscancel.OpenOwnOrders.OwnOrder;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.risk.KillSwitch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The orders of Berth, and what was asked of them. */
final class FakeMassCancelRecords implements MassCancelRecords {
    final List<String> calls = Collections.synchronizedList(new ArrayList<>());
    final Map<ClientOrderId, OwnOrder> orders = new LinkedHashMap<>();
    final Map<UserId, List<AccountKey>> accounts =
            new TreeMap<>((one, other) -> one.value().compareTo(other.value()));
    Runnable onRecord = () -> {};

    /** Those that end by themselves once a cancel is requested. */
    final Set<String> cancelable = Collections.synchronizedSet(new HashSet<>());

    void put(String id, OrderStatus status) {
        orders.put(
                new ClientOrderId(id), new OwnOrder(new ClientOrderId(id), PAPER, status, id.startsWith("stop"), null));
    }

    @Override
    public List<ClientOrderId> record(MassCancel request) {
        calls.add("record");
        List<ClientOrderId> before = List.copyOf(orders.keySet());
        onRecord.run();
        return request.level() == KillSwitch.Level.USER ? before : List.of();
    }

    @Override
    public List<UserId> users(MassCancel request, @Nullable UserId after) {
        return accounts.keySet().stream()
                .filter(user -> after == null || user.value().compareTo(after.value()) > 0)
                .limit(2)
                .toList();
    }

    @Override
    public List<AccountKey> accounts(UserId userId, MassCancel request) {
        return accounts.getOrDefault(userId, List.of());
    }

    @Override
    public OpenOwnOrders orders(UserId userId, MassCancel request, List<ClientOrderId> listed) {
        List<OwnOrder> own = orders.values().stream()
                .filter(order -> !order.status().isFinal() || listed.contains(order.id()))
                .toList();
        return new OpenOwnOrders(userId.equals(ALICE) ? own : List.of(), 0, List.of(new ClientOrderId("later")));
    }

    @Override
    public void cancel(UserId userId, MassCancel request, List<ClientOrderId> ids) {
        calls.add("cancel " + ids);
        ids.stream().filter(id -> cancelable.contains(id.value())).forEach(id -> put(id.value(), OrderStatus.CANCELED));
    }
}
