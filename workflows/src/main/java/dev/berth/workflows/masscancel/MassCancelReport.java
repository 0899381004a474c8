package dev.berth.workflows.masscancel;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.broker.AccountKey;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How far a request is with one user's orders.
 *
 * @param complete whether nothing more is tried
 * @param items at most {@link OpenOwnOrders#MOST}
 * @param unlisted how many orders more there are
 */
public record MassCancelReport(MassCancel request, boolean complete, List<MassCancelItem> items, int unlisted) {
    public MassCancelReport {
        items = List.copyOf(items);
    }

    static MassCancelReport begun(MassCancel request) {
        return new MassCancelReport(request, false, List.of(), 0);
    }

    MassCancelReport completed() {
        return new MassCancelReport(request, true, items, unlisted);
    }

    /**
     * The venue took the cancel of each order that is open no more. Of those that Berth follows
     * their own word counts, which comes with the next {@link OpenOwnOrders}.
     */
    MassCancelReport with(AccountKey account, VenueMassCancel.Round round) {
        MassCancelReport news = with(round.items());
        return round.open() > 0
                ? news
                : news.with(news.items.stream()
                        .filter(item -> item.account().equals(account) && !item.isSettled())
                        .map(MassCancelItem::canceled)
                        .toList());
    }

    /** An exit that stays is no order that waits. */
    MassCancelReport with(OpenOwnOrders orders) {
        Map<String, MassCancelItem> known = byKey();
        List<MassCancelItem> own = orders.orders().stream()
                .map(OpenOwnOrders.OwnOrder::item)
                .filter(item -> item.isSettled() || !isKept(known.get(item.key())))
                .toList();
        return new MassCancelReport(request, complete, with(own).items, orders.unlisted());
    }

    /** Whether the order protects a position and was to stay. */
    boolean isKept(OpenOwnOrders.OwnOrder order) {
        return isKept(byKey().get(order.item().key()));
    }

    private static boolean isKept(@Nullable MassCancelItem item) {
        return item != null && item.outcome() == MassCancelItem.Outcome.KEPT;
    }

    private MassCancelReport with(Collection<MassCancelItem> news) {
        Map<String, MassCancelItem> all = byKey();
        for (MassCancelItem item : news) {
            if (all.size() < OpenOwnOrders.MOST || all.containsKey(item.key())) {
                all.put(item.key(), item);
            }
        }
        return new MassCancelReport(request, complete, List.copyOf(all.values()), unlisted);
    }

    private Map<String, MassCancelItem> byKey() {
        Map<String, MassCancelItem> all = new LinkedHashMap<>();
        items.forEach(item -> all.put(item.key(), item));
        return all;
    }

    /** Whether the end of each order is known. */
    boolean isSettled() {
        return unlisted == 0 && items.stream().allMatch(MassCancelItem::isSettled);
    }

    /** The ids that may be the user's own. */
    List<ClientOrderId> ids() {
        return items.stream()
                .flatMap(item -> Stream.ofNullable(item.clientOrderId()))
                .flatMap(id -> ClientOrderId.parse(id).stream())
                .toList();
    }

    /** What ends the rounds at a venue that cannot be asked. */
    MassCancelReport unavailable(AccountKey account, String reason) {
        return with(items.stream()
                .filter(item -> item.account().equals(account) && !item.isSettled())
                .map(item -> item.because(reason))
                .toList());
    }

    public long count(MassCancelItem.Outcome outcome) {
        return items.stream().filter(item -> item.outcome() == outcome).count();
    }
}
