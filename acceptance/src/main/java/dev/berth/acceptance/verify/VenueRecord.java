package dev.berth.acceptance.verify;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The venue's book and arrivals, and which of it belongs to which order of Berth. */
final class VenueRecord {
    /** How the venue tells orders apart. */
    record Key(String account, String clientOrderId) {}

    /** {@code .r1}, {@code .r2}: the ids of replacements, which no user can choose. */
    private static final Pattern LEG = Pattern.compile("\\.r(\\d+)$");

    private final List<BookedOrder> book;
    private final List<Arrival> arrivals;
    private final Map<String, BookedOrder> byId = new HashMap<>();
    private final Map<Key, List<BookedOrder>> byOrder = new HashMap<>();
    private final Map<Key, List<Arrival>> submissions = new LinkedHashMap<>();

    VenueRecord(List<BookedOrder> book, List<Arrival> arrivals) {
        this.book = List.copyOf(book);
        this.arrivals =
                arrivals.stream().sorted(Comparator.comparing(Arrival::time)).toList();
        for (BookedOrder booked : this.book) {
            byId.put(booked.id(), booked);
            byOrder.computeIfAbsent(orderOf(booked.key()), _ -> new ArrayList<>())
                    .add(booked);
        }
        for (Arrival arrival : this.arrivals) {
            if (arrival.isOurs()) {
                submissions
                        .computeIfAbsent(arrival.key(), _ -> new ArrayList<>())
                        .add(arrival);
            }
        }
    }

    List<BookedOrder> book() {
        return book;
    }

    /** Oldest first. */
    List<Arrival> arrivals() {
        return arrivals;
    }

    /** What workers sent under each id, oldest first. */
    Map<Key, List<Arrival>> submissions() {
        return submissions;
    }

    /** What workers sent of an order as it was submitted, oldest first; replacements are not among it. */
    List<Arrival> submissionsOf(BerthOrder order) {
        return submissions.getOrDefault(keyOf(order), List.of());
    }

    /** What the venue has of an order, its newest replacement last. What somebody else placed under its id is not its. */
    List<BookedOrder> legsOf(BerthOrder order) {
        return byOrder.getOrDefault(keyOf(order), List.of()).stream()
                .filter(booked -> isOurs(booked) || booked.id().equals(order.venueOrderId()))
                .sorted(Comparator.comparingInt(VenueRecord::leg))
                .toList();
    }

    /** Whether a worker of Berth sent it. */
    boolean isOurs(BookedOrder booked) {
        return submissions.containsKey(booked.key());
    }

    /** Whose account at the venue it is: by the venue's answer, else by its user, whose account has the same name. */
    Key keyOf(BerthOrder order) {
        BookedOrder answered = order.venueOrderId() == null ? null : byId.get(order.venueOrderId());
        String account = answered == null ? order.id().user() : answered.account();
        return new Key(account, order.id().clientOrderId());
    }

    /** The key of the order that a leg belongs to. */
    static Key orderOf(Key leg) {
        return new Key(leg.account(), LEG.matcher(leg.clientOrderId()).replaceFirst(""));
    }

    /** What these accounts have. */
    VenueRecord of(Set<String> accounts) {
        Predicate<String> theirs = accounts::contains;
        return new VenueRecord(
                book.stream().filter(booked -> theirs.test(booked.account())).toList(),
                arrivals.stream()
                        .filter(arrival -> theirs.test(arrival.account()))
                        .toList());
    }

    private static int leg(BookedOrder booked) {
        var matcher = LEG.matcher(booked.clientOrderId());
        return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
    }
}
