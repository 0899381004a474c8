package dev.berth.workflows.masscancel;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.broker.AccountKey;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
     * The venue took the cancel of each order that is open no more; of those that Berth follows
     * their own word counts.
     */
    MassCancelReport with(AccountKey account, VenueMassCancel.Round round, OpenOwnOrders own) {
        MassCancelReport news = with(round.items());
        Set<String> followed =
                own.orders().stream().map(order -> order.item().key()).collect(Collectors.toSet());
        return round.open() > 0
                ? news
                : news.with(news.items.stream()
                        .filter(item -> item.account().equals(account) && !item.isSettled())
                        .filter(item -> !followed.contains(item.key()))
                        .map(MassCancelItem::canceled)
                        .toList());
    }

    /** What Berth itself knows. A stop that may protect a position waits for the venue's round. */
    MassCancelReport with(OpenOwnOrders orders) {
        MassCancelReport news = with(orders.orders().stream()
                .map(order -> keeps(order) ? order.kept() : order.item())
                .toList());
        Set<String> listed = news.byKey().keySet();
        long others = orders.orders().stream()
                .filter(order -> !order.status().isFinal()
                        && !listed.contains(order.item().key()))
                .count();
        return new MassCancelReport(request, complete, news.items, orders.unlisted() + (int) others);
    }

    /** Whether the order stays, as far as is known. */
    boolean keeps(OpenOwnOrders.OwnOrder order) {
        MassCancelItem known = byKey().get(order.item().key());
        return request.keepsExits()
                && order.mayProtect()
                && (known == null || known.outcome() == MassCancelItem.Outcome.KEPT);
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
