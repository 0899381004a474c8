package dev.berth.workflows.risk;

import static dev.berth.workflows.Samples.NOON;
import static dev.berth.workflows.Samples.order;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderTerms;
import dev.berth.workflows.order.OrderType;
import dev.berth.workflows.order.Side;
import dev.berth.workflows.risk.KillSwitch.Level;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KillSwitchTest {
    private static final OrderRequest ORDER = order(Side.BUY, OrderType.MARKET, "1", null, null);

    private static KillSwitch of(Level level, @Nullable String which, boolean on) {
        return new KillSwitch(level, which, on, "exchange is down", "olga", NOON);
    }

    @ParameterizedTest(name = "{0} {1}: {2}")
    @CsvSource({
        "ALL, , true, all",
        "BROKER, alpaca, true, broker:alpaca",
        "BROKER, other, false, broker:other",
        "USER, alice, true, user:alice",
        "USER, bob, false, user:bob"
    })
    @Tag("X9")
    @DisplayName("A switch stops the orders of its level, and no others; one that is off stops none")
    void switchStopsOnlyItsLevel(Level level, @Nullable String which, boolean stops, String name) {
        assertThat(KillSwitch.objection(ORDER, List.of(of(level, which, true))).isPresent())
                .isEqualTo(stops);
        assertThat(KillSwitch.objection(ORDER, List.of(of(level, which, false))))
                .isEmpty();
        assertThat(of(level, which, true).name()).isEqualTo(name);
    }

    @Test
    @Tag("X9")
    @DisplayName("An order that is stopped is told by which switch, why, and by whom")
    void stoppedOrderIsToldWhy() {
        assertThat(KillSwitch.objection(ORDER, List.of(of(Level.USER, "alice", true), of(Level.ALL, null, true))))
                .hasValueSatisfying(reason -> assertThat(reason)
                        .hasToString("risk: kill-switch: The kill switch for all orders is on: exchange is down"
                                + " (olga). Submit again under a new id when it is off; cancels work."));
    }

    @Test
    @Tag("T3")
    @DisplayName("No switch stops an order that passes them, and every switch stops it under other terms")
    void orderPassesUnderItsTerms() {
        RiskView view = new RiskView(List.of(of(Level.ALL, null, true)), RiskLimits.NONE, null, NOON);
        OrderTerms more = new OrderTerms(Decimal.of("2"), null, null);
        assertThat(view.objection(ORDER.passingKillSwitches(), OrderTerms.of(ORDER)))
                .isEmpty();
        assertThat(view.objection(ORDER.passingKillSwitches(), more)).isPresent();
        assertThat(view.objection(ORDER.passingKillSwitches().with(more), more)).isPresent();
        assertThat(view.objection(ORDER, OrderTerms.of(ORDER))).isPresent();
    }

    @Test
    void aSwitchNamesWhomItConcerns() {
        assertThatThrownBy(() -> of(Level.USER, null, true)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> of(Level.ALL, "alice", true)).isInstanceOf(IllegalArgumentException.class);
    }
}
