package dev.berth.host.account;

import dev.berth.host.broker.BrokerSession;
import dev.berth.host.broker.BrokerSession.RefusedException;
import dev.berth.host.broker.BrokerSession.UnsupportedException;
import dev.berth.host.order.SentOrders;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.account.AccountOrder;
import dev.berth.workflows.account.AccountPosition;
import dev.berth.workflows.account.CancelVenueOrderOutcome;
import dev.berth.workflows.masscancel.MassCancelItem;
import dev.berth.workflows.masscancel.MassCancelItem.Outcome;
import dev.berth.workflows.masscancel.VenueMassCancel;
import dev.berth.workflows.masscancel.VenueMassCancel.Round;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.Side;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One round of a mass cancel at a venue: lists the open orders, cancels those that match, with the
 * venue's own mass cancel when all of them do, and lists once more.
 */
final class VenueMassCancels {
    /** A venue's mass cancel keeps orders from being sent for as long as it takes. */
    private static final Duration CANCEL_ALL = Duration.ofSeconds(5);

    /** Less than a call may take, so that the round has an answer. */
    private static final Duration CANCEL_EACH = Duration.ofSeconds(30);

    private final BrokerSession session;
    private final VenueMassCancel command;
    private final SentOrders sent;
    private final Map<String, MassCancelItem> items = new LinkedHashMap<>();
    private final Map<String, AccountPosition> positions = new HashMap<>();

    VenueMassCancels(BrokerSession session, VenueMassCancel command, SentOrders sent) {
        this.session = session;
        this.command = command;
        this.sent = sent;
    }

    /** @throws UnsupportedException when the broker's adapter cannot list or cancel them */
    Round run() throws IOException, InterruptedException {
        if (command.request().keepsExits()) {
            readPositions();
        }
        List<AccountOrder> before = session.openOrders();
        before.stream().filter(this::isKept).limit(Round.MOST).forEach(order -> put(order, Outcome.KEPT));
        List<AccountOrder> covered = covered(before);
        if (covered.isEmpty()) {
            return new Round(List.copyOf(items.values()), 0);
        }
        if (covered.size() == 1 || covered.size() < before.size() || !isAllCanceled()) {
            cancelEach(covered);
        }
        List<AccountOrder> after = covered(session.openOrders());
        Set<String> open = after.stream().map(AccountOrder::venueOrderId).collect(Collectors.toSet());
        items.replaceAll((id, item) ->
                item.outcome() == Outcome.REQUESTED && !open.contains(id) ? with(item, Outcome.CANCELED, null) : item);
        long refused = open.stream().filter(this::isRefused).count();
        return new Round(List.copyOf(items.values()), (int) (open.size() - refused));
    }

    /** Without them every stop would look like one that opens a position. */
    private void readPositions() throws IOException, InterruptedException {
        List<AccountPosition> held = session.readAccount(false).positions();
        if (held == null) {
            throw new IOException("the broker does not tell the positions");
        }
        held.forEach(position -> positions.put(plain(position.symbol()), position));
    }

    /** Brokers write BTCUSD and BTC/USD for the same. */
    private static String plain(String symbol) {
        return symbol.replace("/", "");
    }

    private boolean isRefused(String id) {
        MassCancelItem item = items.get(id);
        return item != null && item.outcome() == Outcome.REFUSED;
    }

    private List<AccountOrder> covered(List<AccountOrder> open) {
        return open.stream()
                .filter(command.request()::matches)
                .filter(order -> !isLater(order) && !isProtecting(order))
                .toList();
    }

    private boolean isKept(AccountOrder order) {
        return command.request().matches(order) && !isLater(order) && isProtecting(order);
    }

    /** An order of Berth that was accepted after the request; of others that cannot be told. */
    private boolean isLater(AccountOrder order) {
        return id(order).stream()
                .map(VenueClientOrderId::order)
                .anyMatch(id -> command.later().contains(id)
                        || sent.isAcceptedAfter(id, command.request().at()));
    }

    private static Optional<VenueClientOrderId> id(AccountOrder order) {
        try {
            return Optional.ofNullable(order.clientOrderId()).map(VenueClientOrderId::parse);
        } catch (IllegalArgumentException foreign) {
            return Optional.empty();
        }
    }

    /** A stop, or the exit of another order, that would make a position smaller. */
    private boolean isProtecting(AccountOrder order) {
        AccountPosition position = positions.get(plain(order.symbol()));
        if (position == null || position.quantity().value().signum() == 0) {
            return false;
        }
        Side closing = position.quantity().value().signum() > 0 ? Side.SELL : Side.BUY;
        return order.side().equals(closing.name().toLowerCase(Locale.ROOT))
                && (order.parentOrderId() != null
                        || order.type().contains("stop")
                        || order.type().contains("trail"));
    }

    /** Whether the venue canceled all that it has, which is all that is covered. */
    private boolean isAllCanceled() throws IOException, InterruptedException {
        try {
            return sent.whileNoneIsSent(CANCEL_ALL, () -> {
                List<AccountOrder> all = session.openOrders();
                if (covered(all).size() < all.size()) {
                    // A later one came meanwhile.
                    return false;
                }
                Map<String, CancelVenueOrderOutcome> outcomes = session.cancelAll(CANCEL_ALL);
                for (AccountOrder order : all) {
                    put(order, outcomes.getOrDefault(order.venueOrderId(), CancelVenueOrderOutcome.ABSENT));
                }
                return true;
            });
        } catch (UnsupportedException none) {
            return false;
        }
    }

    /** What a request does not answer, or has no budget left for, is left to the next round. */
    private void cancelEach(List<AccountOrder> covered) throws IOException, InterruptedException {
        long endNanos = System.nanoTime() + CANCEL_EACH.toNanos();
        for (AccountOrder order : covered.subList(0, Math.min(Round.MOST, covered.size()))) {
            if (order.status() == OrderStatus.PENDING_CANCEL) {
                put(order, Outcome.REQUESTED);
                continue;
            }
            try {
                put(order, session.cancelVenueOrder(order.venueOrderId()));
            } catch (UnsupportedException | RefusedException lasting) {
                throw lasting;
            } catch (IOException unanswered) {
                put(order, Outcome.REQUESTED);
                return;
            }
            if (System.nanoTime() - endNanos > 0) {
                return;
            }
        }
    }

    private void put(AccountOrder order, CancelVenueOrderOutcome outcome) {
        put(
                order,
                switch (outcome) {
                    case REQUESTED -> Outcome.REQUESTED;
                    case REFUSED, ABSENT -> Outcome.REFUSED;
                });
    }

    private void put(AccountOrder order, Outcome outcome) {
        if (items.size() < Round.MOST || items.containsKey(order.venueOrderId())) {
            items.put(
                    order.venueOrderId(),
                    new MassCancelItem(
                            command.account(),
                            id(order).map(id -> id.order().value()).orElse(order.clientOrderId()),
                            order.venueOrderId(),
                            outcome,
                            reason(outcome)));
        }
    }

    private static @Nullable String reason(Outcome outcome) {
        return switch (outcome) {
            case CANCELED -> null;
            case REQUESTED -> "The venue has not confirmed the cancel.";
            case REFUSED -> "The venue refused: the order is over, or cannot be canceled now.";
            case KEPT -> "It protects a position, and exits were not to be canceled.";
        };
    }

    private static MassCancelItem with(MassCancelItem item, Outcome outcome, @Nullable String reason) {
        return new MassCancelItem(item.account(), item.clientOrderId(), item.venueOrderId(), outcome, reason);
    }
}
