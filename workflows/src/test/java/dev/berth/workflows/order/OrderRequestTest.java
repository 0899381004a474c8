package dev.berth.workflows.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.Json;
import dev.berth.workflows.Samples;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OrderRequestTest {
    @ParameterizedTest
    @CsvSource({"MARKET,,", "LIMIT,100.5,", "STOP,,99", "STOP_LIMIT,100,99"})
    void eachTypeHasItsPrices(OrderType type, @Nullable String limit, @Nullable String stop) {
        assertThat(request(type, "1", limit, stop, 3).type()).isEqualTo(type);
    }

    @ParameterizedTest
    @CsvSource({
        "MARKET,100,,A market order takes no limitPrice.",
        "MARKET,,100,A market order takes no stopPrice.",
        "LIMIT,,,A limit order needs limitPrice.",
        "LIMIT,100,99,A limit order takes no stopPrice.",
        "STOP,,,A stop order needs stopPrice.",
        "STOP_LIMIT,100,,A stop_limit order needs stopPrice.",
        "LIMIT,0,,limitPrice must be greater than 0.",
        "STOP,,0,stopPrice must be greater than 0."
    })
    void pricesThatDoNotFitTheTypeAreRefused(
            OrderType type, @Nullable String limit, @Nullable String stop, String why) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> request(type, "1", limit, stop, 3))
                .withMessage(why);
    }

    @Test
    void quantityPriorityAndDispatchWithinHaveBounds() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> request(OrderType.MARKET, "0", null, null, 3))
                .withMessageStartingWith("quantity");
        for (int priority : new int[] {0, 6}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> request(OrderType.MARKET, "1", null, null, priority))
                    .withMessageStartingWith("priority");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Samples.market(Duration.ZERO))
                .withMessageStartingWith("dispatchWithin");
    }

    @Test
    void theDeadlineCountsFromTheSubmission() {
        assertThat(Samples.market(Duration.ofSeconds(90)).deadline()).isEqualTo(InMemoryServer.OPEN.plusSeconds(90));
    }

    @Test
    void theHashIsThatOfTheContent() {
        String hash = request(OrderType.LIMIT, "1.50", "100", null, 3).contentHash();
        assertThat(hash).matches("[0-9a-f]{32}");
        assertThat(request(OrderType.LIMIT, "1.5", "100.00", null, 3).contentHash())
                .isEqualTo(hash);
        assertThat(request(OrderType.LIMIT, "1.51", "100", null, 3).contentHash())
                .isNotEqualTo(hash);
        assertThat(request(OrderType.STOP, "1.50", null, "100", 3).contentHash())
                .isNotEqualTo(hash);
        assertThat(request(OrderType.LIMIT, "1.50", "100", null, 2).contentHash())
                .isNotEqualTo(hash);
    }

    @Test
    void whenItWasSubmittedIsNoContent() {
        Instant later = InMemoryServer.OPEN.plusSeconds(5);
        Duration within = Duration.ofMinutes(1);
        assertThat(Samples.marketSubmittedAt(later, within).contentHash())
                .isEqualTo(Samples.market(within).contentHash());
    }

    @Test
    @Tag("T3")
    @DisplayName("That it passes kill switches stands in its JSON and its hash only where it is so")
    void passingKillSwitches() {
        OrderRequest plain = Samples.market(Duration.ofMinutes(1));
        OrderRequest passing = plain.passingKillSwitches();
        assertThat(Json.write(plain)).doesNotContain("passes");
        assertThat(Json.read(Json.write(passing), OrderRequest.class)).isEqualTo(passing);
        assertThat(passing.contentHash()).isNotEqualTo(plain.contentHash());
        String denied = Json.write(passing).replace("\"passesKillSwitches\":true", "\"passesKillSwitches\":false");
        assertThat(Json.read(denied, OrderRequest.class)).isEqualTo(plain);
    }

    @Test
    @Tag("E6")
    @DisplayName("An answer to an order under changed terms is one to the order as submitted: a "
            + "repeat is no other order")
    void answerUnderChangedTerms() {
        OrderRequest submitted = request(OrderType.LIMIT, "1", "100", null, 3);
        OrderTerms changed = new OrderTerms(Decimal.of("4"), Decimal.of("101"), null);
        OrderState known = OrderState.accepted(submitted).withTerms(changed, InMemoryServer.OPEN);
        OrderState told = OrderState.accepted(submitted.with(changed));
        assertThat(told.to(known).request().contentHash()).isEqualTo(submitted.contentHash());
        assertThat(told.to(known).terms()).isEqualTo(changed);
    }

    private static OrderRequest request(
            OrderType type, String quantity, @Nullable String limit, @Nullable String stop, int priority) {
        return new OrderRequest(
                Samples.ALICE,
                new ClientOrderId("o-2"),
                Samples.PAPER,
                "MSFT",
                Side.SELL,
                type,
                Decimal.of(quantity),
                limit == null ? null : Decimal.of(limit),
                stop == null ? null : Decimal.of(stop),
                TimeInForce.GTC,
                priority,
                Duration.ofMinutes(2),
                InMemoryServer.OPEN);
    }
}
