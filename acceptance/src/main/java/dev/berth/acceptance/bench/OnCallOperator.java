package dev.berth.acceptance.bench;

import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.LocalAccount;
import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.ResultPage;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.VenueLog;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Tells of each order that no look-up resolves what the venue has of it, as a person at the venue's
 * desk would find it there.
 */
public final class OnCallOperator implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofSeconds(2);

    private final Stack stack;
    /** Whether the venue had it, by order. */
    private final Map<String, Boolean> resolved = new ConcurrentHashMap<>();

    private final Thread thread = Thread.ofVirtual().unstarted(this::watch);
    private volatile boolean isClosed;

    /** An order in the list of attention. */
    private record Waiting(
            String id,
            String userId,
            String clientOrderId,
            @Nullable String code) {}

    private OnCallOperator(Stack stack) {
        this.stack = stack;
    }

    /** Looks every two seconds, until it is closed. */
    public static OnCallOperator begin(Stack stack) {
        OnCallOperator operator = new OnCallOperator(stack);
        operator.thread.start();
        return operator;
    }

    private void watch() {
        try {
            while (!isClosed) {
                try {
                    resolveAll();
                } catch (IOException | AssertionError unavailable) {
                    // Faults keep a server, or a part of its answer, away for a while.
                }
                Thread.sleep(PAUSE);
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private void resolveAll() throws IOException, InterruptedException {
        FleetOperator operator = FleetOperator.of(stack);
        @Nullable String cursor = null;
        do {
            String after = cursor == null ? "" : "&cursor=" + cursor;
            ResultPage<Waiting> page =
                    operator.get("/attention?kind=order&limit=500" + after).page(Waiting.class);
            for (Waiting order : page.items()) {
                if (Objects.equals(order.code(), "unresolved")) {
                    resolve(operator, order);
                }
            }
            cursor = page.nextCursor();
        } while (cursor != null);
    }

    private void resolve(FleetOperator operator, Waiting waiting) throws IOException, InterruptedException {
        PlacedOrder order = stack.trader(waiting.userId()).order(waiting.clientOrderId());
        String keyId = LocalAccount.of(order.account().broker()).keyId(waiting.userId());
        VenueLog venue = VenueLog.of(stack);
        if (venue.arrivals().stream()
                .anyMatch(arrival -> keyId.equals(arrival.account())
                        && isVersion(arrival.clientOrderId(), waiting.clientOrderId())
                        && arrival.verdict().equals("pending"))) {
            return;
        }
        Optional<String> found = venue.orders().stream()
                .filter(booked ->
                        booked.account().equals(keyId) && isVersion(booked.clientOrderId(), waiting.clientOrderId()))
                .max(Comparator.comparingInt((VenueLog.Order booked) ->
                                booked.clientOrderId().length())
                        .thenComparing(VenueLog.Order::clientOrderId))
                .map(VenueLog.Order::id)
                .filter(id -> !id.equals(order.venueOrderId()));
        String word = found.map(id -> "\"venueOrderId\":\"" + id + "\"").orElse("\"absent\":true");
        int status = operator.post(
                        "/attention:resolve",
                        "{\"id\":\"%s\",%s,\"reason\":\"as the venue's book has it\"}".formatted(waiting.id(), word))
                .status();
        if (status == 200) {
            resolved.put(waiting.id(), found.isPresent());
        }
    }

    /** The order itself, or one of its replacements. */
    private static boolean isVersion(@Nullable String id, String order) {
        return id != null && (id.equals(order) || id.startsWith(order + ".r"));
    }

    /** The orders that were resolved. */
    public int resolved() {
        return resolved.size();
    }

    /** Those of them that the venue had. */
    public long found() {
        return resolved.values().stream().filter(Boolean::booleanValue).count();
    }

    /** {@code 3 orders were resolved by hand: 1 that the venue had, 2 that it did not have}. */
    @Override
    public String toString() {
        return "%s orders were resolved by hand: %s that the venue had, %s that it did not have"
                .formatted(resolved(), found(), resolved() - found());
    }

    @Override
    public void close() {
        isClosed = true;
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
