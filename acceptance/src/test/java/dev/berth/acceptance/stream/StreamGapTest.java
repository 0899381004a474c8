package dev.berth.acceptance.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Processes;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.Venue;
import java.time.Duration;
import java.time.Instant;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Orders rest for so long that their next delayed check comes too late, and fill in a gap. */
@ExtendWith(StackExtension.class)
@Tag("long")
class StreamGapTest {
    private static final Logger LOG = Logger.getLogger(StreamGapTest.class.getName());
    /** Checks come 2, 6, 14, 30 and 62 s after the answer. */
    private static final Duration REST = Duration.ofSeconds(Long.getLong("berth.rest-seconds", 33));
    /** The limit after the gap's end: the adapter connects again after 1 s, and then asks. */
    private static final Duration KNOWN = Duration.ofSeconds(4);
    /** A killed worker is replaced within 5 s on a quiet machine. */
    private static final Duration REPLACED = Duration.ofSeconds(20);

    private final Stack stack;
    private final Venue venue;

    StreamGapTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
    }

    @AfterEach
    void reset() throws Exception {
        venue.reset();
    }

    @Test
    @Tag("A7")
    @Tag("B4")
    @DisplayName("A fill while the stream was cut, or its worker was killed, is known when the connection is back")
    void fillInGapIsKnown() throws Exception {
        Trader cut = Eventually.trading(stack, "gap-cut");
        Trader killed = Eventually.trading(stack, "gap-killed");
        cut.submit(OrderBody.limit("rests", "SPY", "buy", "1", "90"), 60);
        killed.submit(OrderBody.limit("rests", "TSLA", "buy", "1", "90"), 60);
        Instant restUntil = Instant.now().plus(REST);
        await().atMost(REST.multipliedBy(2)).until(() -> Instant.now().isAfter(restUntil));

        venue.faults("{\"streams\":\"refused\"}");
        venue.cutStreams();
        venue.quote("SPY", "89", "89.5");
        Instant back = Instant.now();
        venue.faults("{}");
        assertKnown(cut, "SPY", back, KNOWN);

        Instant gone = Instant.now();
        Processes.signal(killed.worker().pid(), "KILL");
        venue.quote("TSLA", "89", "89.5");
        assertKnown(killed, "TSLA", gone, REPLACED);
    }

    private static void assertKnown(Trader trader, String symbol, Instant since, Duration limit) {
        PlacedOrder order = Eventually.order(trader, "rests", "FILLED", limit.multipliedBy(2));
        Duration time = Duration.between(since, order.finalAt());
        LOG.info(() -> "%s after %s of rest was FILLED %s ms later".formatted(symbol, REST, time.toMillis()));
        assertThat(time).isLessThan(limit);
        Eventually.fills(trader, "rests", "1");
    }
}
