package dev.berth.acceptance.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.Venue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A suspension or stop counts when it is answered: the venue gets no order after it. Each round
 * has orders under way when the call begins, and submits one as soon as it is answered.
 */
@Tag("long")
@Order(1)
@ExtendWith(StackExtension.class)
class SuspensionCountsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int ROUNDS = 4;
    private static final int MANY_ROUNDS = 200;

    /** The most orders of one stream; a user may have 64 without an answer. */
    private static final int STREAMED = 40;

    private final Stack stack;
    private final Venue venue;
    private final FleetOperator operator;
    private final List<Long> millis = new ArrayList<>();

    SuspensionCountsTest(Stack stack) throws Exception {
        this.stack = stack;
        this.venue = Venue.of(stack);
        this.operator = FleetOperator.of(stack);
    }

    @BeforeEach
    @AfterEach
    void restore() throws Exception {
        venue.reset();
        assertThat(operator.tell("/workers:resume", "the test is over").status())
                .isEqualTo(202);
    }

    /** A call with its answer's time. */
    private Instant answered(String command) throws Exception {
        long started = System.nanoTime();
        JsonResponse answer = operator.tell(command, "a test");
        Instant answered = Instant.now();
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(202);
        millis.add((System.nanoTime() - started) / 1_000_000);
        return answered;
    }

    private void printTimes(String command) {
        List<Long> sorted = millis.stream().sorted().toList();
        System.out.printf(
                Locale.ROOT,
                "%s took ms: median %d, longest %d, of %d%n",
                command,
                sorted.get(sorted.size() / 2),
                sorted.getLast(),
                sorted.size());
    }

    private static void submit(Trader trader, String id) throws Exception {
        assertThat(trader.submit(OrderBody.market(id, "AAPL", "buy", "1")
                                .within(Duration.ofMinutes(5))
                                .json())
                        .status())
                .isEqualTo(202);
    }

    /**
     * Submits orders, one after the other, until a call is answered; at most as many as a user may
     * have waiting. Their ids.
     */
    private static CompletableFuture<List<String>> stream(Trader trader, String prefix, CompletableFuture<Void> end) {
        return CompletableFuture.supplyAsync(() -> {
            List<String> ids = new ArrayList<>();
            try {
                while (ids.size() < STREAMED && !end.isDone()) {
                    ids.add(prefix + "-" + ids.size());
                    submit(trader, ids.getLast());
                }
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
            return ids;
        });
    }

    private void assertNothingSentAfter(Trader trader, Instant answered) throws Exception {
        assertThat(venue.arrivals(trader))
                .filteredOn(arrival -> arrival.time().isAfter(answered))
                .as("sent after the answer at %s", answered)
                .isEmpty();
    }

    /** So that the next round begins with an empty queue. */
    private static void cancel(Trader trader, List<String> ids) throws Exception {
        for (String id : ids) {
            trader.delete("/v1/orders/" + id);
        }
    }

    @Test
    @Tag("X33")
    @DisplayName("The order in hand ends as the venue says; the one behind it is not sent")
    void orderBehindTheOneInHandIsHeld() throws Exception {
        Trader trader = Eventually.trading(stack, "counts-behind");
        venue.hold(trader, "in-hand");
        submit(trader, "behind");
        Instant answered = answered("/workers/counts-behind:suspend");
        venue.reset();
        Eventually.order(trader, "in-hand", "FILLED", TIMEOUT);
        Eventually.worker(trader, "SUSPENDED", TIMEOUT);
        assertNothingSentAfter(trader, answered);
        assertThat(trader.order("behind").status()).isEqualTo("PENDING");
        operator.tell("/workers/counts-behind:resume", "a test");
        Eventually.order(trader, "behind", "FILLED", TIMEOUT);
    }

    @Test
    @Tag("X33")
    @DisplayName("No order is sent after the answer of a suspension of its user")
    void nothingIsSentAfterSuspension() throws Exception {
        suspendInRounds(ROUNDS);
    }

    @Test
    @Tag("X33")
    @DisplayName("No order is sent after the answer of 200 suspensions of its user")
    void nothingIsSentAfterManySuspensions() throws Exception {
        suspendInRounds(MANY_ROUNDS);
    }

    private void suspendInRounds(int rounds) throws Exception {
        Trader trader = stack.trader("counts-one-" + rounds);
        for (int round = 0; round < rounds; round++) {
            Eventually.filled(trader, "warm-" + round);
            CompletableFuture<Void> end = new CompletableFuture<>();
            CompletableFuture<List<String>> stream = stream(trader, "before-" + round, end);
            Instant answered = answered("/workers/" + trader.user() + ":suspend");
            submit(trader, "after-" + round);
            end.complete(null);
            List<String> streamed = stream.join();
            Eventually.worker(trader, "SUSPENDED", TIMEOUT);
            assertNothingSentAfter(trader, answered);
            assertThat(trader.order("after-" + round).status()).isEqualTo("PENDING");
            cancel(trader, streamed);
            cancel(trader, List.of("after-" + round));
            operator.tell("/workers/" + trader.user() + ":resume", "a test");
        }
        printTimes("suspend");
    }

    @Test
    @Tag("X33")
    @DisplayName("No order is sent by an epoch after the answer of its stop; the next epoch sends it")
    void nothingIsSentByStoppedEpoch() throws Exception {
        stopInRounds(ROUNDS);
    }

    @Test
    @Tag("X33")
    @DisplayName("No order is sent by an epoch after the answer of its stop, in 200 epochs")
    void nothingIsSentByManyStoppedEpochs() throws Exception {
        stopInRounds(MANY_ROUNDS);
    }

    private void stopInRounds(int rounds) throws Exception {
        Trader trader = stack.trader("counts-stop-" + rounds);
        for (int round = 0; round < rounds; round++) {
            Eventually.filled(trader, "warm-" + round);
            long epoch = trader.worker().epoch();
            submit(trader, "before-" + round);
            Instant answered = answered("/workers/" + trader.user() + ":stop");
            submit(trader, "after-" + round);
            Eventually.order(trader, "after-" + round, "FILLED", TIMEOUT);
            Eventually.order(trader, "before-" + round, "FILLED", TIMEOUT);
            assertThat(venue.arrivals(trader))
                    .filteredOn(arrival -> arrival.time().isAfter(answered))
                    .as("answered at %s", answered)
                    .isNotEmpty()
                    .allSatisfy(arrival -> assertThat(arrival.epoch()).isGreaterThan(epoch));
        }
        printTimes("stop");
    }

    @Test
    @Tag("X33")
    @DisplayName("A user's own stop counts the same")
    void ownStopCounts() throws Exception {
        Trader trader = Eventually.trading(stack, "counts-own");
        long epoch = trader.worker().epoch();
        assertThat(trader.delete("/v1/worker").status()).isEqualTo(202);
        submit(trader, "after");
        Eventually.order(trader, "after", "FILLED", TIMEOUT);
        assertThat(venue.arrivals(trader).getLast().epoch()).isGreaterThan(epoch);
    }

    @Test
    @Tag("X33")
    @DisplayName("No order is sent after the answer of a suspension of all")
    void nothingIsSentAfterSuspensionOfAll() throws Exception {
        suspendAllInRounds(ROUNDS / 4);
    }

    @Test
    @Tag("X33")
    @DisplayName("No order is sent after the answer of 50 suspensions of all")
    void nothingIsSentAfterManySuspensionsOfAll() throws Exception {
        suspendAllInRounds(MANY_ROUNDS / 4);
    }

    private void suspendAllInRounds(int rounds) throws Exception {
        Trader one = stack.trader("counts-all-1-of-" + rounds);
        Trader two = stack.trader("counts-all-2-of-" + rounds);
        for (int round = 0; round < rounds; round++) {
            Eventually.filled(one, "warm-" + round);
            Eventually.filled(two, "warm-" + round);
            CompletableFuture<Void> end = new CompletableFuture<>();
            CompletableFuture<List<String>> stream = stream(one, "before-" + round, end);
            Instant answered = answered("/workers:suspend");
            submit(one, "after-" + round);
            submit(two, "after-" + round);
            end.complete(null);
            List<String> streamed = stream.join();
            Eventually.worker(one, "SUSPENDED", TIMEOUT);
            Eventually.worker(two, "SUSPENDED", TIMEOUT);
            for (Trader trader : List.of(one, two)) {
                assertNothingSentAfter(trader, answered);
                assertThat(trader.order("after-" + round).status()).isEqualTo("PENDING");
                cancel(trader, List.of("after-" + round));
            }
            cancel(one, streamed);
            operator.tell("/workers:resume", "a test");
        }
        printTimes("suspend all");
    }
}
