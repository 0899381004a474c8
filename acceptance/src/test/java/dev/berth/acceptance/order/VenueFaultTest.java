package dev.berth.acceptance.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Processes;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.Venue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The venue's answer is missing or carries no outcome. */
@ExtendWith(StackExtension.class)
class VenueFaultTest {
    private static final Duration RECOVERY = Duration.ofSeconds(30);
    /** The time limit of a submission. */
    private static final Duration SUBMISSION = Duration.ofSeconds(15);
    /** The minimum time between two look-ups that prove absence. */
    private static final Duration SETTLE = Duration.ofSeconds(10);

    private final Stack stack;
    private final Venue venue;

    VenueFaultTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
    }

    @AfterEach
    void reset() throws Exception {
        venue.reset();
    }

    @Test
    @Tag("X3")
    @DisplayName("An order whose answer is lost is found, not sent again")
    void lostAnswerIsFoundNotResent() throws Exception {
        Trader trader = warm("lost");
        venue.faults("{\"dropAnswer\":1.0}");
        trader.submit(OrderBody.market("lost", "AAPL", "buy", "1").json());
        PlacedOrder order = Eventually.order(trader, "lost", "FILLED", RECOVERY);
        assertThat(order.attempts()).isEqualTo(1);
        assertThat(venue.arrivals(trader))
                .extracting(Venue.Arrival::verdict)
                .containsExactly("accepted", "answerDropped");
        assertThat(venue.accepted(trader, "lost")).hasSize(1);
    }

    @Test
    @Tag("X3")
    @DisplayName("An order answered with 500 is UNKNOWN and sent again after two look-ups, or FAILED")
    void serverErrorIsUnknownUntilTwoLookUps() throws Exception {
        Trader patient = warm("patient");
        Trader hurried = warm("hurried");
        venue.faults("{\"serverError\":1.0}");
        patient.submit(OrderBody.market("later", "AAPL", "buy", "1").json());
        // Two look-ups take 10 s.
        hurried.submit(OrderBody.market("never", "AAPL", "buy", "1")
                .within(Duration.ofSeconds(8))
                .json());
        Eventually.arrivals(venue, patient, 2);
        Eventually.arrivals(venue, hurried, 2);
        venue.reset();
        assertThat(Eventually.order(patient, "later", "UNKNOWN", RECOVERY).reason())
                .startsWith("broker: outcome-unknown: ");
        PlacedOrder filled = Eventually.order(patient, "later", "FILLED", RECOVERY);
        assertThat(filled.attempts()).isEqualTo(2);
        List<Venue.Arrival> sent = venue.arrivals(patient).subList(1, 3);
        assertThat(sent).extracting(Venue.Arrival::verdict).containsExactly("serverError", "accepted");
        assertThat(Duration.between(sent.getFirst().time(), sent.getLast().time()))
                .isGreaterThan(SETTLE);
        assertThat(venue.accepted(patient, "later")).hasSize(1);
        PlacedOrder failed = Eventually.order(hurried, "never", "FAILED", RECOVERY);
        assertThat(failed.reason()).startsWith("capacity: not-sent: ");
        assertThat(venue.arrivals(hurried)).hasSize(2);
        assertThat(venue.accepted(hurried, "never")).isEmpty();
    }

    @Test
    @Tag("B4")
    @DisplayName("A fill without a push is found by a delayed check, with its execution")
    void lostPushIsFoundByCheck() throws Exception {
        Trader trader = warm("unpushed");
        trader.submit(OrderBody.limit("quiet", "SPY", "buy", "1", "90"), 60);
        Worker worker = trader.worker();
        // No process listens to the venue's stream between the two workers.
        Processes.signal(worker.pid(), "KILL");
        venue.quote("SPY", "89", "89.5");
        PlacedOrder filled = Eventually.order(trader, "quiet", "FILLED", RECOVERY);
        assertThat(filled.reason()).isNull();
        Eventually.fills(trader, "quiet", "1");
        assertThat(venue.arrivals(trader)).hasSize(2);
    }

    @Test
    @Tag("D1")
    @DisplayName("A hanging submission is UNKNOWN after 15 s and frees the worker for the next order")
    void hangingSubmissionIsUnknownAfter15s() throws Exception {
        Trader hung = warm("hung");
        Trader neighbour = warm("hung-neighbour");
        Worker before = hung.worker();
        venue.faults("{\"hang\":1.0}");
        hung.submit(OrderBody.market("hangs", "AAPL", "buy", "1").json());
        Instant sent = Eventually.arrivals(venue, hung, 2).getLast().time();
        venue.reset();
        hung.submit(OrderBody.market("behind", "AAPL", "buy", "1").json());

        PlacedOrder other = neighbour
                .submit(OrderBody.market("beside", "AAPL", "buy", "1"), 10)
                .as(PlacedOrder.class);
        assertThat(other.status()).isEqualTo("FILLED");
        assertThat(other.acknowledgedAt()).isBefore(sent.plus(SUBMISSION));

        PlacedOrder behind = Eventually.order(hung, "behind", "FILLED", RECOVERY);
        assertThat(Duration.between(sent, behind.dispatchedAt()))
                .isBetween(SUBMISSION.minusSeconds(1), SUBMISSION.plusSeconds(8));
        assertThat(Eventually.order(hung, "hangs", "UNKNOWN", RECOVERY).reason())
                .startsWith("broker: outcome-unknown: ");
        PlacedOrder filled = Eventually.order(hung, "hangs", "FILLED", RECOVERY);
        assertThat(filled.attempts()).isEqualTo(2);
        assertThat(venue.accepted(hung, "hangs")).hasSize(1);
        assertThat(hung.worker().pid()).isEqualTo(before.pid());
        assertThat(hung.worker().deaths()).isZero();
    }

    private Trader warm(String user) throws Exception {
        return Eventually.trading(stack, "venue-" + user);
    }
}
