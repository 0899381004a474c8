package dev.berth.host.order;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Latest;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The replacements that this process is writing, and those that it must never begin, because somebody was already told
 * that the venue does not have them. Legs are numbered upwards, and a number is used once.
 */
final class Replacements {
    /** A replacement that comes after ten thousand other questions has long been given up by the server. */
    private static final int FORBIDDEN_KEPT = 10_000;

    private final Map<ClientOrderId, CountDownLatch> inHand = new HashMap<>();
    private final Map<ClientOrderId, Integer> forbidden = new Latest<>(FORBIDDEN_KEPT);

    /**
     * Makes the call that writes this leg; until it is over the leg is in hand.
     *
     * @throws IOException the call's own, or that the leg must not begin, or that another one may still be written
     */
    <T> T make(ClientOrderId id, int leg, BrokerCalls.Call<T> call) throws IOException, InterruptedException {
        CountDownLatch ended = begin(id, leg);
        try {
            return call.make();
        } finally {
            end(id, ended);
        }
    }

    private synchronized CountDownLatch begin(ClientOrderId id, int leg) throws IOException {
        if (inHand.containsKey(id)) {
            throw new IOException("another replacement of order " + id + " is in hand and may still write");
        }
        if (leg <= forbidden.getOrDefault(id, 0)) {
            throw new IOException("replacement " + leg + " of order " + id + " was given up before it began");
        }
        CountDownLatch ended = new CountDownLatch(1);
        inHand.put(id, ended);
        return ended;
    }

    private synchronized void end(ClientOrderId id, CountDownLatch ended) {
        inHand.remove(id);
        ended.countDown();
    }

    /**
     * Waits until this process can not write the leg any more, and keeps it from beginning.
     *
     * @return false when it still may after {@code seconds}
     */
    boolean awaitEnd(ClientOrderId id, int leg, long seconds) throws InterruptedException {
        CountDownLatch ended = forbid(id, leg);
        return ended == null || ended.await(seconds, TimeUnit.SECONDS);
    }

    private synchronized @Nullable CountDownLatch forbid(ClientOrderId id, int leg) {
        forbidden.merge(id, leg, Math::max);
        return inHand.get(id);
    }
}
