package dev.berth.acceptance.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Each kind of violation, planted in evidence that is clean otherwise, is found; and nothing else is. */
class PromiseTest {
    private static final Duration LATER = Duration.ofSeconds(30);

    private static Planted clean() {
        return new Planted()
                .order("filled", "FILLED", "filled", "10")
                .order("rests", "NEW", "new", "0")
                .order("half", "PARTIALLY_FILLED", "partially_filled", "4")
                .order("gone", "CANCELED", "canceled", "1")
                .order("over", "EXPIRED", "expired", "0")
                .known("failed", "FAILED", "0", null)
                .known("withdrawn", "CANCELED", "0", null)
                .known("refused", "REJECTED", "0", null)
                .arrived("refused", Planted.SENT, 1L, "refused");
    }

    /** The one breach, of this promise. */
    private static void assertBroken(Planted planted, String promise, String... words) {
        assertThat(planted.finding(promise).broken()).singleElement().asString().contains(words);
        assertThat(planted.broken()).hasSize(1);
    }

    @Test
    @DisplayName("X1 nothing is found where nothing is wrong, and how much was looked at is counted")
    void nothingWrong() {
        Planted planted = clean();
        assertThat(planted.broken()).isEmpty();
        assertThat(planted.report().isQuiet()).isTrue();
        assertThat(planted.finding("lost-order").looked()).isEqualTo(8);
        assertThat(planted.finding("doubled-order").looked()).isEqualTo(6);
        assertThat(planted.finding("late-send").looked()).isEqualTo(6);
        assertThat(planted.finding("two-workers").looked()).isEqualTo(1);
        assertThat(planted.finding("secret-leak").looked()).isEqualTo(3);
        assertThat(planted.report().text()).endsWith("No promise is broken.");
    }

    @Test
    @DisplayName("X1 replacements belong to their order: their fills count, they have no deadline")
    void replacements() {
        Planted planted = clean().known("moved", "FILLED", "7", "v-moved.r2")
                .booked("moved", "replaced", "2")
                .booked("moved.r1", "replaced", "1")
                .booked("moved.r2", "filled", "4")
                .arrived("moved", Planted.SENT, 1L, "accepted")
                .arrived("moved.r1", Planted.SENT.plusSeconds(1), 1L, "accepted")
                .arrived("moved.r2", Planted.DEADLINE.plusSeconds(60), 2L, "answerDropped");
        assertThat(planted.broken()).isEmpty();
    }

    @Test
    @DisplayName("X1 an order without an answer is lost once its deadline is over, and under way before")
    void withoutAnswer() {
        Planted planted = clean().known("silent", "UNKNOWN", "0", null);
        assertBroken(planted, "lost-order", "alice:silent", "UNKNOWN", "480 s after its deadline");
        BerthOrder inTime = new BerthOrder(
                new OrderId("alice", "silent"),
                "PENDING",
                BigDecimal.ZERO,
                BigDecimal.ZERO,
                null,
                Planted.NOW.plusSeconds(5));
        planted.orders.put("silent", inTime);
        assertThat(planted.broken()).isEmpty();
        assertThat(planted.report().isQuiet()).isFalse();
        assertThat(planted.report().text()).contains("1 orders are under way");
    }

    @Test
    @DisplayName("X1 an order that one of the three does not know is lost")
    void unknownToOne() {
        Planted inTemporal = clean();
        inTemporal.workflows.remove("filled");
        assertBroken(inTemporal, "lost-order", "alice:filled", "Temporal does not have it");
        Planted inPostgres = clean();
        inPostgres.orders.remove("failed");
        assertBroken(inPostgres, "lost-order", "alice:failed", "PostgreSQL does not have it");
        Planted atVenue = clean();
        atVenue.book.removeIf(booked -> booked.clientOrderId().equals("rests"));
        assertBroken(atVenue, "lost-order", "alice:rests", "the venue does not have it");
        Planted nowhere = clean().booked("ghost", "new", "0").arrived("ghost", Planted.SENT, 1L, "accepted");
        assertBroken(nowhere, "lost-order", "ghost", "sent by a worker, and Berth does not know it");
    }

    @Test
    @DisplayName("X1 an order whose workflow ended before it is lost")
    void abandoned() {
        assertBroken(clean().inTemporal("rests", "NEW", "TERMINATED"), "lost-order", "alice:rests", "TERMINATED");
    }

    @Test
    @DisplayName("X1 what somebody else placed at the venue is not ours, even under the id of an order that failed")
    void foreign() {
        Planted planted = clean().booked("failed", "filled", "3")
                .arrived("failed", Planted.SENT, null, "accepted")
                .booked("by-hand", "new", "0")
                .arrived("by-hand", Planted.NOW, null, "accepted");
        assertThat(planted.broken()).isEmpty();
        assertThat(planted.finding("lost-order").notes())
                .containsExactly("2 orders at the venue are not ours: no worker sent them");
    }

    @Test
    @DisplayName("X1 an id that the venue accepted twice is found")
    void acceptedTwice() {
        Planted planted = clean();
        planted.book.add(new BookedOrder("v-2", "alice", "rests", "new", BigDecimal.ZERO));
        assertBroken(planted, "doubled-order", "rests", "accepted 2 times");
    }

    @Test
    @DisplayName("X1 a second submission of what the venue has is found, unless it lies in a freeze")
    void sentAgain() {
        Planted planted = clean().arrived("filled", Planted.SENT.plus(LATER), 1L, "duplicate");
        assertBroken(planted, "doubled-order", "filled", "though the venue had it");
        planted.freezes.add(new Freeze("alice", Planted.SENT.plusSeconds(1), Planted.NOW));
        assertThat(planted.broken()).isEmpty();
        assertThat(planted.finding("doubled-order").notes())
                .singleElement()
                .asString()
                .contains("tolerated");
    }

    @Test
    @DisplayName("X1 a second submission while the first was held back at the venue is found")
    void sentAgainMeanwhile() {
        Planted planted = clean().traded("twice")
                .arrived("twice", Planted.SENT, 1L, "duplicate")
                .arrived("twice", Planted.SENT.plus(LATER), 1L, "accepted")
                .answered("twice", Planted.SENT.plusSeconds(9), OrderWorkflow.Answer.ABSENT)
                .answered("twice", Planted.SENT.plusSeconds(19), OrderWorkflow.Answer.ABSENT);
        assertBroken(planted, "doubled-order", "twice", "while the first was under way");
    }

    @Test
    @DisplayName("X1 a second submission needs two look-ups that found nothing, or a decline, between the two")
    void proof() {
        Planted planted = clean().traded("again")
                .arrived("again", Planted.SENT, 1L, "serverError")
                .arrived("again", Planted.SENT.plus(LATER), 2L, "accepted");
        assertBroken(planted, "doubled-order", "again", "without a proof");
        planted.answered("again", Planted.SENT.minusSeconds(1), OrderWorkflow.Answer.DECLINED)
                .answered("again", Planted.SENT.plusSeconds(3), OrderWorkflow.Answer.DECLINED)
                .answered("again", Planted.SENT.plusSeconds(5), OrderWorkflow.Answer.ABSENT);
        assertBroken(planted, "doubled-order", "again", "without a proof");
        planted.answered("again", Planted.SENT.plusSeconds(14), OrderWorkflow.Answer.ABSENT);
        assertBroken(planted, "doubled-order", "again", "without a proof");
        planted.answered("again", Planted.SENT.plusSeconds(24), OrderWorkflow.Answer.ABSENT);
        assertThat(planted.broken()).isEmpty();
    }

    @Test
    @DisplayName("X1 a second submission after the first one's own decline is none too many")
    void declined() {
        Planted planted = clean().traded("busy")
                .arrived("busy", Planted.SENT, 1L, "serverError")
                .arrived("busy", Planted.SENT.plus(LATER), 1L, "accepted")
                .answered(
                        "busy",
                        Planted.SENT.minusMillis(50),
                        Planted.SENT.plusMillis(50),
                        OrderWorkflow.Answer.DECLINED);
        assertThat(planted.broken()).isEmpty();
    }

    @Test
    @DisplayName("X1 a submission after the deadline is found, unless it lies in a freeze")
    void late() {
        Planted planted = clean().traded("late").arrived("late", Planted.DEADLINE.plusMillis(1_001), 1L, "accepted");
        assertBroken(planted, "late-send", "alice:late", "1001 ms after it");
        planted.freezes.add(new Freeze(null, Planted.DEADLINE, Planted.DEADLINE.plusSeconds(2)));
        assertThat(planted.broken()).isEmpty();
    }

    @Test
    @DisplayName("X1 A1 an order that was booked in another user's account is found; a user's own may have any name")
    void foreignAccount() {
        Planted planted = clean();
        planted.book.add(new BookedOrder("v-mixed", "alice", "mixed", "filled", BigDecimal.ONE));
        planted.book.add(new BookedOrder("v-own", "PKBOB", "own", "filled", BigDecimal.ONE));
        for (String id : List.of("mixed", "own")) {
            planted.orders.put(
                    "bob " + id,
                    new BerthOrder(
                            new OrderId("bob", id),
                            "FILLED",
                            BigDecimal.ONE,
                            BigDecimal.ONE,
                            "v-" + id,
                            Planted.DEADLINE));
        }
        assertThat(planted.finding("foreign-account").broken())
                .containsExactly("bob:mixed was booked in the account of alice");
    }

    @Test
    @DisplayName("X1 an earlier epoch that sends after a later one is found, unless it lies in a freeze")
    void twoWorkers() {
        Planted planted = clean().traded("old")
                .traded("new")
                .arrived("new", Planted.SENT.plusSeconds(5), 2L, "accepted")
                .arrived("old", Planted.SENT.plusSeconds(6), 1L, "accepted");
        assertBroken(planted, "two-workers", "account alice", "old", "epoch 1", "epoch 2");
        planted.freezes.add(new Freeze("bob", Planted.SENT.plusSeconds(6), Planted.SENT.plusSeconds(7)));
        assertThat(planted.broken()).as("another's freeze").hasSize(1);
        planted.freezes.add(new Freeze("alice", Planted.SENT.plusSeconds(6), Planted.SENT.plusSeconds(7)));
        assertThat(planted.broken()).isEmpty();
    }

    @Test
    @DisplayName("X1 another status or quantity in PostgreSQL, in Temporal or at the venue is found")
    void disagreement() {
        assertBroken(
                clean().inTemporal("filled", "CANCELED", "COMPLETED"),
                "disagreement",
                "FILLED in PostgreSQL, and CANCELED in Temporal");
        Planted status = clean().order("off", "CANCELED", "filled", "1");
        assertBroken(status, "disagreement", "alice:off is CANCELED, and filled at the venue (order v-off)");
        Planted quantity = clean().known("less", "FILLED", "9", "v-less")
                .booked("less", "filled", "10")
                .arrived("less", Planted.SENT, 1L, "accepted");
        assertBroken(quantity, "disagreement", "alice:less has 9 filled, and 10 at the venue");
        Planted sent = clean().booked("failed", "new", "0").arrived("failed", Planted.SENT, 1L, "accepted");
        assertBroken(sent, "disagreement", "alice:failed is FAILED, and new at the venue");
    }

    @Test
    @DisplayName("X1 a ledger that does not add up is noted, and breaks no promise")
    void ledger() {
        Planted planted = clean();
        planted.orders.put(
                "filled",
                new BerthOrder(
                        new OrderId("alice", "filled"),
                        "FILLED",
                        BigDecimal.TEN,
                        new BigDecimal("7"),
                        "v-filled",
                        Planted.DEADLINE));
        assertThat(planted.broken()).isEmpty();
        assertThat(planted.finding("ledger-gap").notes())
                .containsExactly("alice:filled has 10 filled, and executions of 7");
    }

    @Test
    @DisplayName("X1 a secret that stands where it must not is a breach")
    void secret() {
        Planted planted = clean();
        planted.secrets.add("the secret of alice stands in api.log:7");
        assertBroken(planted, "secret-leak", "alice", "api.log:7");
    }

    @Test
    @DisplayName("X1 asked about some users, nothing of the others is looked at, whatever their account is called")
    void someUsers() {
        Planted planted = clean();
        planted.arrivals.add(new Arrival("bob", "b", Planted.SENT, 1L, "accepted"));
        planted.book.add(new BookedOrder("v-b", "bob", "b", "new", BigDecimal.ZERO));
        assertThat(planted.broken()).hasSize(1);
        Evidence hers = planted.evidence().about(Set.of("alice"));
        assertThat(hers.orders()).hasSize(8);
        assertThat(Report.of(hers).broken()).isZero();
        Evidence none = planted.evidence().about(Set.of("carol"));
        assertThat(Report.of(none).findings().stream().map(Finding::looked)).containsAll(List.of(0, 3));
    }
}
