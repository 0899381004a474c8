package dev.berth.gateway;

import java.net.InetAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A bounded number of connections of unknown clients. When all places are taken, the address with
 * the most connections gives its oldest one up for a new one of another address; behind a load
 * balancer, where all have one address, the oldest of all gives way when it has lasted too long.
 */
final class ConnectionCrowd {
    /** One of them. */
    interface Member {
        /** Null when it is unknown. */
        @Nullable
        InetAddress address();

        /** Whether it must not be closed at this moment. */
        boolean isAnswering();
    }

    private final int places;
    private final long patienceNanos;
    private final LongSupplier nanoTime;
    /** With the time of each, oldest first. */
    private final Map<Member, Long> members = new LinkedHashMap<>();

    ConnectionCrowd(int places, Duration patience, LongSupplier nanoTime) {
        this.places = places;
        this.patienceNanos = patience.toNanos();
        this.nanoTime = nanoTime;
    }

    /** What happened to a new connection. */
    sealed interface Admission {}

    /** It has a place; the one that lost it is to be closed. */
    record Admitted(Optional<Member> displaced) implements Admission {}

    record Full() implements Admission {}

    synchronized Admission add(Member fresh) {
        Optional<Member> displaced = Optional.empty();
        if (members.size() >= places) {
            displaced = displaced(fresh);
            if (displaced.isEmpty()) {
                return new Full();
            }
            members.remove(displaced.get());
        }
        members.put(fresh, nanoTime.getAsLong());
        return new Admitted(displaced);
    }

    /** Harmless for one that has no place. */
    synchronized void remove(Member member) {
        members.remove(member);
    }

    private Optional<Member> displaced(Member fresh) {
        Map<@Nullable InetAddress, Integer> byAddress = new HashMap<>();
        members.keySet().forEach(member -> byAddress.merge(member.address(), 1, Integer::sum));
        int most = byAddress.values().stream().mapToInt(count -> count).max().orElse(0);
        boolean hasLarger = most > byAddress.getOrDefault(fresh.address(), 0) + 1;
        long now = nanoTime.getAsLong();
        return members.entrySet().stream()
                .filter(member -> !member.getKey().isAnswering())
                .filter(member -> hasLarger
                        ? byAddress.getOrDefault(member.getKey().address(), 0) == most
                        : now - member.getValue() >= patienceNanos)
                .map(Map.Entry::getKey)
                .findFirst();
    }

    synchronized int size() {
        return members.size();
    }
}
