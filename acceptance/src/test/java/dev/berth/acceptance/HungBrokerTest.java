package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A broker that takes an order and never answers. */
@ExtendWith(OnTheStack.class)
class HungBrokerTest {
    private static final Duration LIMIT = Duration.ofSeconds(15);
    private static final Duration SOON = Duration.ofSeconds(30);

    private final Stack stack;
    private final Venue venue;

    HungBrokerTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
    }

    @AfterEach
    void reset() throws Exception {
        venue.reset();
    }

    @Test
    @DisplayName(
            "D1 a submission that hangs is UNKNOWN after 15 s and frees the slot for the next order; the process stays,"
                    + " and other users notice nothing")
    void theSlotIsFreed() throws Exception {
        Trader hung = Eventually.trading(stack, "hung");
        Trader neighbour = Eventually.trading(stack, "hung-neighbour");
        JsonNode before = hung.worker();
        venue.faults("{\"hang\":1.0}");
        hung.submit(NewOrder.market("hangs", "AAPL", "buy", "1").json());
        Instant sent = Eventually.arrivals(venue, hung, 2).getLast().time();
        venue.reset();
        hung.submit(NewOrder.market("behind", "AAPL", "buy", "1").json());

        JsonNode other = neighbour
                .submit(NewOrder.market("beside", "AAPL", "buy", "1"), 10)
                .body();
        assertThat(other.path("status").asText()).isEqualTo("FILLED");
        assertThat(Instant.parse(other.path("acknowledgedAt").asText())).isBefore(sent.plus(LIMIT));

        JsonNode behind = Eventually.order(hung, "behind", "FILLED", SOON);
        assertThat(Duration.between(
                        sent, Instant.parse(behind.path("dispatchedAt").asText())))
                .isBetween(LIMIT.minusSeconds(1), LIMIT.plusSeconds(8));
        assertThat(Eventually.order(hung, "hangs", "UNKNOWN", SOON)
                        .path("reason")
                        .asText())
                .startsWith("broker: outcome-unknown: ");
        JsonNode filled = Eventually.order(hung, "hangs", "FILLED", SOON);
        assertThat(filled.path("attempts").asInt()).isEqualTo(2);
        assertThat(venue.accepted(hung, "hangs")).hasSize(1);
        assertThat(hung.worker().path("pid")).isEqualTo(before.path("pid"));
        assertThat(hung.worker().path("deaths").asInt()).isZero();
    }
}
