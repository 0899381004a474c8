package dev.berth.workflows.risk;

import static dev.berth.workflows.Samples.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.Json;
import dev.berth.workflows.risk.KillSwitch.Level;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RiskViewTest {
    private static final String MILLIS = Long.toString(NOON.toEpochMilli());

    @Test
    @Tag("X9")
    @DisplayName("Without the sentinel the limits are unknown")
    void limitsAreUnknownWithoutSentinel() {
        assertThat(RiskView.of(List.of("", "", "", "", "", "", MILLIS))).isEmpty();
    }

    @Test
    void whatIsNotThereDoesNotLimit() {
        assertThat(RiskView.of(List.of("1", "", "", "", "", "", MILLIS)))
                .contains(new RiskView(List.of(), RiskLimits.NONE, null, NOON));
    }

    @Test
    @DisplayName("the stored forms are these: an older process reads what a newer one wrote")
    void storedFormsStayReadable() {
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
    @Tag("X9")
    @DisplayName("The sentinel names a version and a digest of the switches, in whatever order they " + "come")
    void sentinelNamesVersionAndDigest() {
        Map<String, String> switches = Map.of("user:bob", "{}", "all", "{\"on\":true}");
        RiskSentinel sentinel = RiskSentinel.of(7, switches);
        assertThat(sentinel).hasToString("7 61b04bbb652452c7b973515f2830f4f5c3c5622f");
        assertThat(RiskSentinel.parse(sentinel.toString())).contains(sentinel);
        assertThat(sentinel.agreesWith(switches)).isTrue();
        assertThat(sentinel.agreesWith(Map.of("user:bob", "{}"))).isFalse();
        for (String other : List.of("", "7", "7 x", sentinel + "0", "-" + sentinel)) {
            assertThat(RiskSentinel.parse(other)).as(other).isEmpty();
        }
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
