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

/** The venue's book and arrivals, by order of Berth. */
final class VenueRecord {
    record AccountOrderKey(String account, String clientOrderId) {}

    /** {@code .r1}, {@code .r2}: the ids of replacements, which no user can choose. */
    private static final Pattern VERSION_SUFFIX = Pattern.compile("\\.r(\\d+)$");

    private final List<BookedOrder> book;
    private final List<RecordedArrival> arrivals;
    private final Map<String, BookedOrder> byId = new HashMap<>();
    private final Map<AccountOrderKey, List<BookedOrder>> byOrder = new HashMap<>();
    private final Map<AccountOrderKey, List<RecordedArrival>> submissions = new LinkedHashMap<>();

    private final Map<String, AccountHoldings> held;

    /** @param held what the executions of each account add up to */
    VenueRecord(List<BookedOrder> book, List<RecordedArrival> arrivals, Map<String, AccountHoldings> held) {
        this.held = Map.copyOf(held);
        this.book = List.copyOf(book);
        this.arrivals = arrivals.stream()
                .sorted(Comparator.comparing(RecordedArrival::time))
                .toList();
        for (BookedOrder booked : this.book) {
            byId.put(booked.id(), booked);
            byOrder.computeIfAbsent(orderOf(booked.key()), _ -> new ArrayList<>())
                    .add(booked);
        }
        for (RecordedArrival arrival : this.arrivals) {
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

    /** What the executions of each account add up to. */
    Map<String, AccountHoldings> held() {
        return held;
    }

    /** Oldest first. */
    List<RecordedArrival> arrivals() {
        return arrivals;
    }

    /** The submissions of workers by id, oldest first. */
    Map<AccountOrderKey, List<RecordedArrival>> submissions() {
        return submissions;
    }

    /** The submissions of an order without its replacements, oldest first. */
    List<RecordedArrival> submissionsOf(BerthOrder order) {
        return submissions.getOrDefault(keyOf(order), List.of());
    }

    /** The versions of an order at the venue, newest last; only Berth's own. */
    List<BookedOrder> versionsOf(BerthOrder order) {
        return byOrder.getOrDefault(keyOf(order), List.of()).stream()
                .filter(booked -> isOurs(booked) || booked.id().equals(order.venueOrderId()))
                .sorted(Comparator.comparingInt(VenueRecord::version))
                .toList();
    }

    /** Whether a worker of Berth sent the order. */
    boolean isOurs(BookedOrder booked) {
        return submissions.containsKey(booked.key());
    }

    /** The order's key: its account by the venue's answer, else the user's default one. */
    AccountOrderKey keyOf(BerthOrder order) {
        BookedOrder answered = order.venueOrderId() == null ? null : byId.get(order.venueOrderId());
        String account = answered == null ? order.account().keyId(order.id().user()) : answered.account();
        return new AccountOrderKey(account, order.id().clientOrderId());
    }

    /** The key of a version's order. */
    static AccountOrderKey orderOf(AccountOrderKey version) {
        return new AccountOrderKey(
                version.account(),
                VERSION_SUFFIX.matcher(version.clientOrderId()).replaceFirst(""));
    }

    /** The record of these accounts. */
    VenueRecord of(Set<String> accounts) {
        Predicate<String> theirs = accounts::contains;
        return new VenueRecord(
                book.stream().filter(booked -> theirs.test(booked.account())).toList(),
                arrivals.stream()
                        .filter(arrival -> theirs.test(arrival.account()))
                        .toList(),
                held);
    }

    private static int version(BookedOrder booked) {
        var matcher = VERSION_SUFFIX.matcher(booked.clientOrderId());
        return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
    }
}
