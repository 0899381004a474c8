package dev.berth.rest.masscancel;

import dev.berth.activities.order.ActiveOrders;
import dev.berth.activities.order.OpenOrders;
import dev.berth.activities.order.OrderReadModel;
import dev.berth.activities.risk.MassCancelStore;
import dev.berth.rest.risk.SendGates;
import dev.berth.temporal.client.OrderWorkflowClient;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.masscancel.MassCancel;
import dev.berth.workflows.masscancel.MassCancelRecords;
import dev.berth.workflows.masscancel.OpenOwnOrders;
import dev.berth.workflows.masscancel.OpenOwnOrders.OwnOrder;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.risk.KillSwitch.Level;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Records mass cancels, finds the orders that they cover, and requests their cancels. */
@Component("massCancelRecords")
public final class MassCancelActivities implements MassCancelRecords {
    /** Some cancels at once, so that a thousand take seconds, and Temporal has room for others. */
    private static final int AT_ONCE = 8;

    /** What one reading of PostgreSQL has; the next one has those that are left. */
    private static final int MOST_OPEN = 10_000;

    private final MassCancelStore store;
    private final SendGates gates;
    private final OpenOrders open;
    private final OrderReadModel orders;
    private final ActiveOrders active;
    private final OrderWorkflowClient workflows;
    private final InstantSource clock;

    MassCancelActivities(
            MassCancelStore store,
            SendGates gates,
            OpenOrders open,
            OrderReadModel orders,
            ActiveOrders active,
            OrderWorkflowClient workflows,
            InstantSource clock) {
        this.store = store;
        this.gates = gates;
        this.open = open;
        this.orders = orders;
        this.active = active;
        this.workflows = workflows;
        this.clock = clock;
    }

    @Override
    public List<ClientOrderId> record(MassCancel request) {
        List<ClientOrderId> before =
                request.level() == Level.USER ? openNow(new UserId(String.valueOf(request.which()))) : List.of();
        store.record(request);
        gates.hold("The request is stored, and takes effect when Redis answers.");
        store.recordEffective(request, clock.instant());
        return before;
    }

    /** Asks no workflow, which would hold up the request. */
    private List<ClientOrderId> openNow(UserId userId) {
        Stream<ClientOrderId> admitted = active.of(userId).stream().map(ActiveOrders.ActiveOrder::clientOrderId);
        Stream<ClientOrderId> recorded = open.of(userId, List.of(), OpenOwnOrders.MOST).stream()
                .map(order -> order.request().clientOrderId());
        return Stream.concat(admitted, recorded)
                .distinct()
                .limit(OpenOwnOrders.MOST)
                .toList();
    }

    @Override
    public List<UserId> users(MassCancel request, @Nullable UserId after) {
        if (request.level() == Level.USER) {
            return after == null ? List.of(new UserId(String.valueOf(request.which()))) : List.of();
        }
        String broker = request.level() == Level.BROKER ? request.which() : null;
        Set<UserId> users = new TreeSet<>((one, other) -> one.value().compareTo(other.value()));
        users.addAll(open.users(after, broker, USERS));
        // Accepted a moment ago; whose they are is all that Redis knows.
        active.users().stream()
                .filter(user -> after == null || user.value().compareTo(after.value()) > 0)
                .forEach(users::add);
        return users.stream().limit(USERS).toList();
    }

    @Override
    public List<AccountKey> accounts(UserId userId, MassCancel request) {
        boolean isOwnWish = request.level() == Level.USER && !request.keepsExits();
        Stream<AccountKey> known = open.accounts(userId, isOwnWish).stream();
        Stream<AccountKey> unsent = admittedNow(active.of(userId), Set.of(), List.of()).stream()
                .map(order -> order.request().account());
        return Stream.of(known, unsent, Stream.ofNullable(request.account()))
                .flatMap(accounts -> accounts)
                .filter(request::coversAccount)
                .distinct()
                .toList();
    }

    @Override
    public OpenOwnOrders orders(UserId userId, MassCancel request, List<ClientOrderId> listed) {
        // First, since an order leaves Redis when it is answered, and is in PostgreSQL by then.
        List<ActiveOrders.ActiveOrder> admitted = active.of(userId);
        Map<ClientOrderId, OrderState> found = new LinkedHashMap<>();
        for (OrderState order : open.of(userId, listed, MOST_OPEN)) {
            found.put(order.request().clientOrderId(), order);
        }
        for (OrderState order : admittedNow(admitted, found.keySet(), listed)) {
            found.put(order.request().clientOrderId(), order);
        }
        List<OwnOrder> covered = new ArrayList<>();
        List<ClientOrderId> later = new ArrayList<>();
        Set<ClientOrderId> asked = new HashSet<>(listed);
        int others = 0;
        int unlisted = 0;
        for (OrderState order : found.values()) {
            ClientOrderId id = order.request().clientOrderId();
            if (!request.covers(order.request())) {
                if (order.request().submittedAt().isAfter(request.at()) && later.size() < OpenOwnOrders.MOST) {
                    later.add(id);
                }
            } else if (asked.contains(id) || others < OpenOwnOrders.MOST) {
                covered.add(OwnOrder.of(order));
                others += asked.contains(id) ? 0 : 1;
            } else {
                unlisted++;
            }
        }
        return new OpenOwnOrders(covered, unlisted, later);
    }

    /**
     * Accepted orders that the list of open ones did not have: PostgreSQL does not have them yet,
     * or got them since. One that is over is in the answer only when it was asked about.
     */
    private List<OrderState> admittedNow(
            List<ActiveOrders.ActiveOrder> admitted, Set<ClientOrderId> found, List<ClientOrderId> listed) {
        Set<ClientOrderId> asked = Set.copyOf(listed);
        return admitted.stream()
                .filter(order -> !found.contains(order.clientOrderId()))
                .flatMap(order -> current(order).stream())
                .filter(order -> !order.status().isFinal()
                        || asked.contains(order.request().clientOrderId()))
                .toList();
    }

    private Optional<OrderState> current(ActiveOrders.ActiveOrder order) {
        return orders.find(order.userId(), order.clientOrderId())
                .or(() -> workflows.state(order.userId(), order.clientOrderId()));
    }

    @Override
    public void cancel(UserId userId, MassCancel request, List<ClientOrderId> ids) {
        List<Callable<ClientOrderId>> calls = ids.stream()
                .<Callable<ClientOrderId>>map(id -> () -> {
                    workflows.requestCancel(userId, id, request.name() + " " + request.id());
                    return id;
                })
                .toList();
        try (ExecutorService threads =
                Executors.newFixedThreadPool(AT_ONCE, Thread.ofVirtual().factory())) {
            for (Future<ClientOrderId> call : threads.invokeAll(calls)) {
                call.get();
            }
        } catch (ExecutionException failed) {
            // The activity is tried again: each cancel may be requested twice.
            throw new IllegalStateException("a cancel was not requested", failed.getCause());
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(ending);
        }
    }
}
