package dev.berth.workflows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalTest {
    @Test
    void valuesAreEqualHoweverTheyAreWritten() {
        assertThat(Decimal.of("1.50")).isEqualTo(Decimal.of("1.5")).hasSameHashCodeAs(Decimal.of("1.5"));
        assertThat(Decimal.of("0.000")).isEqualTo(Decimal.ZERO);
        assertThat(Decimal.of("007")).isEqualTo(Decimal.of("7"));
    }

    @Test
    void isPrintedPlainlyAndWithoutNeedlessZeros() {
        assertThat(Decimal.of("100")).hasToString("100");
        assertThat(Decimal.of("100.010")).hasToString("100.01");
        assertThat(Decimal.of("0.000000001")).hasToString("0.000000001");
        assertThat(Decimal.of("999999999999999999.999999999")).hasToString("999999999999999999.999999999");
    }

    @Test
    void ordersByValue() {
        assertThat(Decimal.of("9.5")).isLessThan(Decimal.of("10"));
        assertThat(Decimal.of("0.1").isPositive()).isTrue();
        assertThat(Decimal.ZERO.isPositive()).isFalse();
    }

    @Test
    void isRoundedToTheEvenNinthDigit() {
        assertThat(Decimal.rounded(new BigDecimal("0.0000000005"))).isEqualTo(Decimal.ZERO);
        assertThat(Decimal.rounded(new BigDecimal("0.0000000015"))).isEqualTo(Decimal.of("0.000000002"));
        assertThat(Decimal.average(new BigDecimal("200"), new BigDecimal("3"))).isEqualTo(Decimal.of("66.666666667"));
        assertThat(Decimal.average(BigDecimal.ZERO, BigDecimal.ZERO)).isNull();
    }

    @Test
    void isAStringInJson() {
        assertThat(Json.write(Decimal.of("12.50"))).isEqualTo("\"12.5\"");
        assertThat(Json.read("\"12.50\"", Decimal.class)).isEqualTo(Decimal.of("12.5"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "-1", "+1", "1e3", "1.", ".5", "1,5", " 1", "NaN", "1234567890123456789", "1.1234567890", "١"
            })
    void whatIsNoPlainDecimalIsRefused(String text) {
        assertThatThrownBy(() -> Decimal.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("written plainly");
    }
}
