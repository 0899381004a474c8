package dev.berth.workflows.risk;

import static dev.berth.workflows.risk.RiskOrders.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.Json;
import dev.berth.workflows.risk.KillSwitch.Level;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RiskViewTest {
    private static final String MILLIS = Long.toString(NOON.toEpochMilli());

    @Test
    @DisplayName("X9 without the sentinel nobody knows, whatever else Redis says")
    void notLoaded() {
        assertThat(RiskView.of(List.of("", "", "", "", "", "", MILLIS))).isEmpty();
    }

    @Test
    void whatIsNotThereDoesNotLimit() {
        assertThat(RiskView.of(List.of("1", "", "", "", "", "", MILLIS)))
                .contains(new RiskView(List.of(), RiskLimits.NONE, null, NOON));
    }

    @Test
    @DisplayName("the stored forms are these: an older process reads what a newer one wrote")
    void storedForms() {
        String on = "{\"level\":\"user\",\"which\":\"alice\",\"on\":true,\"reason\":\"r\",\"changedBy\":\"olga\","
                + "\"changedAt\":\"2026-03-02T12:00:00Z\"}";
        String limits = "{\"maxQuantity\":\"50\",\"maxNotional\":null,\"priceCollar\":\"0.05\",\"ordersPerSecond\":2}";
        String quote = "{\"bid\":\"99.99\",\"ask\":\"100.01\",\"at\":\"2026-03-02T12:00:00Z\"}";
        RiskView view = new RiskView(
                List.of(new KillSwitch(Level.USER, "alice", true, "r", "olga", NOON)),
                new RiskLimits(Decimal.of("50"), null, Decimal.of("0.05"), 2),
                new Quote(Decimal.of("99.99"), Decimal.of("100.01"), NOON),
                NOON);
        assertThat(RiskView.of(List.of("7", "", "", on, limits, quote, MILLIS))).contains(view);
        assertThat(Json.write(view.switches().getFirst())).isEqualTo(on);
        assertThat(Json.write(view.limits())).isEqualTo(limits);
        assertThat(Json.write(new Quote(Decimal.of("99.99"), Decimal.of("100.01"), NOON)))
                .isEqualTo(quote);
    }

    @Test
    void limitsThatMakeNoSenseAreRefused() {
        assertThatThrownBy(() -> new RiskLimits(Decimal.ZERO, null, null, null)).hasMessageContaining("maxQuantity");
        assertThatThrownBy(() -> new RiskLimits(null, Decimal.ZERO, null, null)).hasMessageContaining("maxNotional");
        assertThatThrownBy(() -> new RiskLimits(null, null, Decimal.of("1"), null))
                .hasMessageContaining("priceCollar");
        assertThatThrownBy(() -> new RiskLimits(null, null, null, 0)).hasMessageContaining("ordersPerSecond");
    }
}
