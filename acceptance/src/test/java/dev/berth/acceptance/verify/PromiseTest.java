package dev.berth.acceptance.verify;

import static dev.berth.acceptance.verify.EvidenceFixture.DEADLINE;
import static dev.berth.acceptance.verify.EvidenceFixture.NOW;
import static dev.berth.acceptance.verify.EvidenceFixture.SENT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.acceptance.rest.LocalAccount;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each planted violation is found, and clean evidence yields none. */
class PromiseTest {
    private static final Duration LATER = Duration.ofSeconds(30);

    private static EvidenceFixture clean() {
        return new EvidenceFixture()
                .order("filled", "FILLED", "filled", "10")
                .order("rests", "NEW", "new", "0")
                .order("half", "PARTIALLY_FILLED", "partially_filled", "4")
                .order("gone", "CANCELED", "canceled", "1")
                .order("over", "EXPIRED", "expired", "0")
                .known("failed", "FAILED", "0", null)
                .known("withdrawn", "CANCELED", "0", null)
                .known("refused", "REJECTED", "0", null)
                .arrived("refused", SENT, 1L, "refused");
    }

    /** Checks that this promise has the only breach. */
    private static void assertBroken(EvidenceFixture planted, String promise, String... texts) {
        assertThat(planted.finding(promise).broken()).singleElement().asString().contains(texts);
        assertThat(planted.broken()).hasSize(1);
    }

    @Test
    @Tag("X1")
    @DisplayName("Clean evidence breaks no promise, and the checks are counted")
    void cleanEvidenceBreaksNothing() {
        EvidenceFixture planted = clean();
        assertThat(planted.broken()).isEmpty();
        assertThat(planted.report().isQuiet()).isTrue();
        assertThat(planted.finding("lost-order").checked()).isEqualTo(8);
        assertThat(planted.finding("doubled-order").checked()).isEqualTo(6);
        assertThat(planted.finding("late-send").checked()).isEqualTo(6);
        assertThat(planted.finding("two-workers").checked()).isEqualTo(1);
        assertThat(planted.finding("secret-leak").checked()).isEqualTo(3);
        assertThat(planted.report().text()).endsWith("No promise is broken.");
    }

    private static AccountHoldings alice(Instant asOf, String cash, String quantity) {
        return new AccountHoldings("alice", asOf, new BigDecimal(cash), Map.of("AAPL", new BigDecimal(quantity)));
    }

    @Test
    @Tag("T1")
    @DisplayName("An account that is shown otherwise than its executions add up is found")
    void accountMismatchIsFound() {
        AccountHoldings there = alice(SENT, "900", "2");
        assertThat(clean().account(alice(NOW, "900.00", "2.0"), there).finding("account-mismatch"))
                .satisfies(kept -> {
                    assertThat(kept.checked()).isEqualTo(1);
                    assertThat(kept.broken()).isEmpty();
                });
        assertBroken(clean().account(alice(NOW, "900", "3"), there), "account-mismatch", "alice", "AAPL=3");
        assertBroken(clean().account(alice(NOW, "901", "2"), there), "account-mismatch", "901");
        Finding older =
                clean().account(alice(SENT.minusMillis(1), "1", "1"), there).finding("account-mismatch");
        assertThat(older.broken()).isEmpty();
        assertThat(older.notes()).hasSize(1);
    }

    @Test
    @Tag("T9")
    @DisplayName("A holding that executions, fees and activities do not explain is found, unless a reason is told")
    void unexplainedHoldingIsFound() {
        AccountHoldings there = alice(SENT, "900", "2");
        assertThat(clean().recorded(alice(NOW, "900.0", "2.00"), there).finding("unexplained-holdings"))
                .satisfies(kept -> {
                    assertThat(kept.checked()).isEqualTo(1);
                    assertThat(kept.broken()).isEmpty();
                });
        assertBroken(
                clean().recorded(alice(NOW, "899", "2"), there), "unexplained-holdings", "899 in cash", "900 in cash");
        assertBroken(clean().recorded(alice(NOW, "900", "5"), there), "unexplained-holdings", "AAPL=5", "AAPL=2");
        EvidenceFixture unread = clean().recorded(alice(SENT.minusMillis(1), "1", "1"), there);
        EvidenceFixture archived = clean().recorded(alice(NOW, "1", "1"), there);
        archived.archived.add(new OrderReference("alice", "old"));
        EvidenceFixture gap = clean().recorded(alice(NOW, "1", "1"), there);
        gap.orders.put(
                "half",
                new BerthOrder(
                        new OrderReference("alice", "half"),
                        LocalAccount.ALPACA,
                        "PARTIALLY_FILLED",
                        null,
                        new BigDecimal("4"),
                        BigDecimal.ONE,
                        "v-half",
                        DEADLINE,
                        null));
        EvidenceFixture corrected = clean().recorded(alice(NOW, "900.01", "2"), there);
        corrected.recorded.computeIfPresent(
                "alice", (_, sum) -> new RecordedAccount(sum.holdings(), new BigDecimal("-0.01")));
        for (EvidenceFixture told : List.of(unread, archived, gap, corrected)) {
            assertThat(told.finding("unexplained-holdings").broken()).isEmpty();
            assertThat(told.finding("unexplained-holdings").notes()).hasSize(1);
        }
        corrected.recorded.computeIfPresent(
                "alice", (_, sum) -> new RecordedAccount(sum.holdings(), new BigDecimal("-0.02")));
        assertBroken(corrected, "unexplained-holdings", "900.01 in cash");
    }

    @Test
    @Tag("X1")
    @DisplayName("Replacements add to their order's fills and have no deadline")
    void replacementsBelongToTheirOrder() {
        EvidenceFixture planted = clean().known("moved", "FILLED", "7", "v-moved.r2")
                .booked("moved", "replaced", "2")
                .booked("moved.r1", "replaced", "1")
                .booked("moved.r2", "filled", "4")
                .arrived("moved", SENT, 1L, "accepted")
                .arrived("moved.r1", SENT.plusSeconds(1), 1L, "accepted")
                .arrived("moved.r2", DEADLINE.plusSeconds(60), 2L, "answerDropped");
        assertThat(planted.broken()).isEmpty();
    }

    @Test
    @Tag("X1")
    @DisplayName("An unanswered order is under way until its deadline, then lost")
    void unansweredOrderIsLostAfterDeadline() {
        EvidenceFixture planted = clean().known("silent", "UNKNOWN", "0", null);
        assertBroken(planted, "lost-order", "alice:silent", "UNKNOWN", "480 s after its deadline");
        BerthOrder inTime = new BerthOrder(
                new OrderReference("alice", "silent"),
                LocalAccount.ALPACA,
                "PENDING",
                null,
                BigDecimal.ZERO,
                BigDecimal.ZERO,
                null,
                NOW.plusSeconds(5),
                null);
        planted.orders.put("silent", inTime);
        assertThat(planted.broken()).isEmpty();
        assertThat(planted.report().isQuiet()).isFalse();
        assertThat(planted.report().text()).contains("1 orders are under way");
    }

    @Test
    @Tag("X1")
    @DisplayName("An order that is missing in one of the three stores is lost")
    void orderMissingInOneStoreIsLost() {
        EvidenceFixture inTemporal = clean();
        inTemporal.workflows.remove("filled");
        assertBroken(inTemporal, "lost-order", "alice:filled", "Temporal does not have it");
        EvidenceFixture inPostgres = clean();
        inPostgres.orders.remove("failed");
        assertBroken(inPostgres, "lost-order", "alice:failed", "PostgreSQL does not have it");
        EvidenceFixture atVenue = clean();
        atVenue.book.removeIf(booked -> booked.clientOrderId().equals("rests"));
        assertBroken(atVenue, "lost-order", "alice:rests", "the venue does not have it");
        EvidenceFixture nowhere = clean().booked("ghost", "new", "0").arrived("ghost", SENT, 1L, "accepted");
        assertBroken(nowhere, "lost-order", "ghost", "sent by a worker, and Berth does not know it");
    }

    @Test
    @Tag("X24")
    @DisplayName("An order that left PostgreSQL for the archive is not lost")
    void archivedOrderIsNotLost() {
        EvidenceFixture planted = clean();
        planted.orders.remove("filled");
        assertThat(planted.finding("lost-order").broken()).hasSize(2);
        planted.archived.add(new OrderReference("alice", "filled"));
        assertThat(planted.broken()).isEmpty();
    }

    @Test
    @Tag("X1")
    @DisplayName("An open order with a closed workflow is lost")
    void orderWithClosedWorkflowIsLost() {
        assertBroken(clean().inTemporal("rests", "NEW", "TERMINATED"), "lost-order", "alice:rests", "TERMINATED");
    }

    @Test
    @Tag("X1")
    @DisplayName("Orders placed at the venue by hand are not counted as Berth's")
    void foreignVenueOrdersAreIgnored() {
        EvidenceFixture planted = clean().booked("failed", "filled", "3")
                .arrived("failed", SENT, null, "accepted")
                .booked("by-hand", "new", "0")
                .arrived("by-hand", NOW, null, "accepted");
        assertThat(planted.broken()).isEmpty();
        assertThat(planted.finding("lost-order").notes())
                .containsExactly("2 orders at the venue are not ours: no worker sent them");
    }

    @Test
    @Tag("X1")
    @DisplayName("An id that the venue accepted twice is found")
    void doubleAcceptanceIsFound() {
        EvidenceFixture planted = clean();
        planted.book.add(new BookedOrder("v-2", "alice", "rests", "new", BigDecimal.ZERO));
        assertBroken(planted, "doubled-order", "rests", "accepted 2 times");
    }

    @Test
    @Tag("X1")
    @DisplayName("A second submission of a booked order is found, except in a freeze")
    void resendOfBookedOrderIsFound() {
        EvidenceFixture planted = clean().arrived("filled", SENT.plus(LATER), 1L, "duplicate");
        assertBroken(planted, "doubled-order", "filled", "though the venue had it");
        planted.freezes.add(new Freeze("alice", SENT.plusSeconds(1), NOW));
        assertThat(planted.broken()).isEmpty();
        assertThat(planted.finding("doubled-order").notes())
                .singleElement()
                .asString()
                .contains("tolerated");
    }

    @Test
    @Tag("X1")
    @DisplayName("A second submission during the first one is found")
    void resendDuringFirstIsFound() {
        EvidenceFixture planted = clean().filledOrder("twice")
                .arrived("twice", SENT, 1L, "duplicate")
                .arrived("twice", SENT.plus(LATER), 1L, "accepted")
                .completed("twice", SENT.plusSeconds(9), OrderHistory.NotAtVenue.ABSENT)
                .completed("twice", SENT.plusSeconds(19), OrderHistory.NotAtVenue.ABSENT);
        assertBroken(planted, "doubled-order", "twice", "while the first was under way");
    }

    @Test
    @Tag("X1")
    @DisplayName("A second submission needs two empty look-ups or a decline in between")
    void resendNeedsTwoLookUps() {
        EvidenceFixture planted = clean().filledOrder("again")
                .arrived("again", SENT, 1L, "serverError")
                .arrived("again", SENT.plus(LATER), 2L, "accepted");
        assertBroken(planted, "doubled-order", "again", "without a proof");
        planted.completed("again", SENT.minusSeconds(1), OrderHistory.NotAtVenue.DECLINED)
                .completed("again", SENT.plusSeconds(3), OrderHistory.NotAtVenue.DECLINED)
                .completed("again", SENT.plusSeconds(5), OrderHistory.NotAtVenue.ABSENT);
        assertBroken(planted, "doubled-order", "again", "without a proof");
        planted.completed("again", SENT.plusSeconds(14), OrderHistory.NotAtVenue.ABSENT);
        assertBroken(planted, "doubled-order", "again", "without a proof");
        planted.completed("again", SENT.plusSeconds(24), OrderHistory.NotAtVenue.ABSENT);
        assertThat(planted.broken()).isEmpty();
    }

    @Test
    @Tag("X1")
    @DisplayName("A second submission after the first one's decline is allowed")
    void resendAfterDeclineIsAllowed() {
        EvidenceFixture planted = clean().filledOrder("busy")
                .arrived("busy", SENT, 1L, "serverError")
                .arrived("busy", SENT.plus(LATER), 1L, "accepted")
                .completed("busy", SENT.minusMillis(50), SENT.plusMillis(50), OrderHistory.NotAtVenue.DECLINED);
        assertThat(planted.broken()).isEmpty();
    }

    @Test
    @Tag("T3")
    @DisplayName("A submission after a mass cancel is found, except in a freeze; one before it is none")
    void submissionAfterCancelIsFound() {
        Instant canceledAt = SENT.plusSeconds(10);
        EvidenceFixture planted = clean().canceled("filled", SENT.plusSeconds(1));
        assertThat(planted.broken()).isEmpty();
        assertThat(planted.finding("sent-after-cancel").checked()).isEqualTo(1);
        planted = clean().filledOrder("after")
                .arrived("after", canceledAt.plusMillis(1_001), 1L, "accepted")
                .canceled("after", canceledAt);
        assertBroken(planted, "sent-after-cancel", "alice:after", "1001 ms after");
        planted.freezes.add(new Freeze(null, canceledAt, canceledAt.plusSeconds(2)));
        assertThat(planted.broken()).isEmpty();
    }

    @Test
    @Tag("X1")
    @DisplayName("A submission after the deadline is found, except in a freeze")
    void lateSubmissionIsFound() {
        EvidenceFixture planted =
                clean().filledOrder("late").arrived("late", DEADLINE.plusMillis(1_001), 1L, "accepted");
        assertBroken(planted, "late-send", "alice:late", "1001 ms after it");
        planted.freezes.add(new Freeze(null, DEADLINE, DEADLINE.plusSeconds(2)));
        assertThat(planted.broken()).isEmpty();
    }

    @Test
    @Tag("X1")
    @Tag("A1")
    @DisplayName("An order in another user's account is found; a user's own account may have any name")
    void orderInForeignAccountIsFound() {
        EvidenceFixture planted = clean();
        planted.book.add(new BookedOrder("v-mixed", "alice", "mixed", "filled", BigDecimal.ONE));
        planted.book.add(new BookedOrder("v-own", "PKBOB", "own", "filled", BigDecimal.ONE));
        for (String id : List.of("mixed", "own")) {
            planted.orders.put(
                    "bob " + id,
                    new BerthOrder(
                            new OrderReference("bob", id),
                            LocalAccount.ALPACA,
                            "FILLED",
                            null,
                            BigDecimal.ONE,
                            BigDecimal.ONE,
                            "v-" + id,
                            DEADLINE,
                            null));
        }
        assertThat(planted.finding("foreign-account").broken())
                .containsExactly("bob:mixed was booked in the account of alice");
    }

    @Test
    @Tag("X1")
    @DisplayName("A submission of an earlier epoch after a later one is found, except in a freeze")
    void earlierEpochAfterLaterIsFound() {
        EvidenceFixture planted = clean().filledOrder("old")
                .filledOrder("new")
                .arrived("new", SENT.plusSeconds(5), 2L, "accepted")
                .arrived("old", SENT.plusSeconds(6), 1L, "accepted");
        assertBroken(planted, "two-workers", "account alice", "old", "epoch 1", "epoch 2");
        planted.freezes.add(new Freeze("bob", SENT.plusSeconds(6), SENT.plusSeconds(7)));
        assertThat(planted.broken()).as("another's freeze").hasSize(1);
        planted.freezes.add(new Freeze("alice", SENT.plusSeconds(6), SENT.plusSeconds(7)));
        assertThat(planted.broken()).isEmpty();
    }

    @Test
    @Tag("X1")
    @DisplayName(
            "An order that rests is not shown in searches before its first check, and only while its workflow runs")
    void youngOrderRests() {
        EvidenceFixture young = clean();
        assertThat(young.inTemporal("rests", "PENDING", "RUNNING").broken()).isEmpty();
        assertBroken(
                young.inTemporal("rests", "CANCELED", "RUNNING"),
                "disagreement",
                "NEW in PostgreSQL, and CANCELED in Temporal");
    }

    @Test
    @Tag("X1")
    @DisplayName("A different status or quantity in one of the three stores is found")
    void differentStatusOrQuantityIsFound() {
        assertBroken(
                clean().inTemporal("filled", "CANCELED", "COMPLETED"),
                "disagreement",
                "FILLED in PostgreSQL, and CANCELED in Temporal");
        EvidenceFixture status = clean().order("off", "CANCELED", "filled", "1");
        assertBroken(status, "disagreement", "alice:off is CANCELED, and filled at the venue (order v-off)");
        EvidenceFixture quantity = clean().known("less", "FILLED", "9", "v-less")
                .booked("less", "filled", "10")
                .arrived("less", SENT, 1L, "accepted");
        assertBroken(quantity, "disagreement", "alice:less has 9 filled, and 10 at the venue");
    }

    @Test
    @Tag("X1")
    @DisplayName("A failed or rejected order that the venue has is found")
    void deniedOrderIsFound() {
        EvidenceFixture failed = clean().booked("failed", "new", "0").arrived("failed", SENT, 1L, "accepted");
        assertBroken(failed, "denied-order", "alice:failed is FAILED, and new at the venue");
        EvidenceFixture rejected = clean().booked("refused", "canceled", "0");
        assertBroken(rejected, "denied-order", "alice:refused is REJECTED, and canceled at the venue");
        assertThat(clean().booked("refused", "rejected", "0").broken()).isEmpty();
    }

    @Test
    @Tag("X1")
    @DisplayName("A gap in the executions is noted and breaks no promise")
    void ledgerGapIsNoted() {
        EvidenceFixture planted = clean();
        planted.orders.put(
                "filled",
                new BerthOrder(
                        new OrderReference("alice", "filled"),
                        LocalAccount.ALPACA,
                        "FILLED",
                        null,
                        BigDecimal.TEN,
                        new BigDecimal("7"),
                        "v-filled",
                        DEADLINE,
                        null));
        assertThat(planted.broken()).isEmpty();
        assertThat(planted.finding("ledger-gap").notes())
                .containsExactly("alice:filled has 10 filled, and executions of 7");
    }

    @Test
    @Tag("X1")
    @DisplayName("A secret in a log is a breach")
    void exposedSecretIsFound() {
        EvidenceFixture planted = clean();
        planted.secrets.add("the secret of alice stands in api.log:7");
        assertBroken(planted, "secret-leak", "alice", "api.log:7");
    }

    @Test
    @Tag("X1")
    @DisplayName("A check of some users ignores all others, whatever their account is called")
    void checkCanBeLimitedToUsers() {
        EvidenceFixture planted = clean();
        planted.arrivals.add(new RecordedArrival("bob", "b", SENT, 1L, "accepted"));
        planted.book.add(new BookedOrder("v-b", "bob", "b", "new", BigDecimal.ZERO));
        assertThat(planted.broken()).hasSize(1);
        Evidence alice = planted.evidence().about(Set.of("alice"));
        assertThat(alice.orders()).hasSize(8);
        assertThat(Report.of(alice).broken()).isZero();
        Evidence carol = planted.evidence().about(Set.of("carol"));
        assertThat(Report.of(carol).findings().stream().map(Finding::checked)).containsAll(List.of(0, 3));
    }

    /** An order of alice over FIX, as the venue has it under the key id of that account. */
    private static EvidenceFixture overFix(String status, @Nullable String venueOrderId, @Nullable String reason) {
        EvidenceFixture planted = clean();
        planted.known("f", status, "0", venueOrderId);
        planted.orders.computeIfPresent(
                "f",
                (_, order) -> new BerthOrder(
                        order.id(),
                        LocalAccount.FIX,
                        status,
                        reason,
                        order.filled(),
                        order.ledger(),
                        venueOrderId,
                        DEADLINE,
                        null));
        return planted;
    }

    private static RecordedArrival fixArrival(Duration later, long epoch, String verdict) {
        return new RecordedArrival("fix-alice", "f", SENT.plus(later), epoch, verdict);
    }

    @Test
    @Tag("X1")
    @Tag("Y5")
    @DisplayName("An order over FIX is looked for in that account, also while no answer names it")
    void fixAccountIsSearched() {
        EvidenceFixture denied = overFix("FAILED", null, null);
        denied.book.add(new BookedOrder("v-f", "fix-alice", "f", "new", BigDecimal.ZERO));
        denied.arrivals.add(fixArrival(Duration.ZERO, 1, "accepted"));
        assertBroken(denied, "denied-order", "alice:f is FAILED, and new at the venue");

        EvidenceFixture twice = overFix("CANCELED", null, null);
        twice.arrivals.add(fixArrival(Duration.ZERO, 1, "hung"));
        twice.arrivals.add(fixArrival(LATER, 1, "hung"));
        assertBroken(twice, "doubled-order", "account fix-alice", "without a proof");
        twice.completed("f", SENT.plusSeconds(20), OrderHistory.NotAtVenue.TOLD_ABSENT);
        assertThat(twice.broken()).isEmpty();

        EvidenceFixture both = overFix("CANCELED", null, null).arrived("new", SENT.plusSeconds(2), 2L, "refused");
        both.arrivals.add(fixArrival(LATER, 1, "refused"));
        assertBroken(both, "two-workers", "account fix-alice", "epoch 1", "epoch 2");

        EvidenceFixture ghost = clean();
        ghost.arrivals.add(new RecordedArrival("fix-alice", "ghost", SENT, 1L, "accepted"));
        ghost.book.add(new BookedOrder("v-ghost", "fix-alice", "ghost", "new", BigDecimal.ZERO));
        assertThat(ghost.evidence().about(Set.of("alice")).venue().book()).hasSize(6);
        assertBroken(ghost, "lost-order", "ghost of account fix-alice");
    }

    @Test
    @Tag("Y7")
    @DisplayName("An order that waits for a person's word is a note, and one that waits for nothing is lost")
    void unresolvedOrderIsNoted() {
        EvidenceFixture unresolved = overFix("UNKNOWN", null, "broker: unresolved: look there.");
        assertThat(unresolved.broken()).isEmpty();
        assertThat(unresolved.finding("lost-order").notes()).anyMatch(note -> note.contains("until a person tells"));
        assertBroken(overFix("UNKNOWN", null, null), "lost-order", "alice:f is still UNKNOWN");
    }

    @Test
    @Tag("Y5")
    @DisplayName("Executions over FIX add up to what the venue has, unless others trade in the account")
    void fixExecutionsAddUp() {
        AccountHoldings there =
                new AccountHoldings("fix-alice", SENT, new BigDecimal("900"), Map.of("AAPL", BigDecimal.ONE));
        AccountHoldings here = new AccountHoldings("fix-alice", NOW, new BigDecimal("899"), there.positions());
        EvidenceFixture planted = clean();
        planted.held.put("fix-alice", there);
        planted.recorded.put("fix-alice", new RecordedAccount(here, BigDecimal.ZERO));
        assertThat(planted.evidence().about(Set.of("alice")).recorded()).containsKey("fix-alice");
        assertBroken(planted, "unexplained-holdings", "fix-alice", "899 in cash");
        planted.book.add(new BookedOrder("v-else", "fix-alice", "by-hand", "filled", BigDecimal.ONE));
        assertThat(planted.finding("unexplained-holdings").notes())
                .singleElement()
                .asString()
                .contains("orders of others");
    }
}
