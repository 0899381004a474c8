package dev.berth.workflows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T1")
class SignedDecimalTest {
    @DisplayName("Equal amounts are equal objects, and are written plainly with their sign")
    @Test
    void valuesCompareByAmount() {
        assertThat(SignedDecimal.of("-1.50"))
                .isEqualTo(SignedDecimal.of("-1.5"))
                .hasToString("-1.5");
        assertThat(SignedDecimal.of("-0.0")).isEqualTo(SignedDecimal.ZERO).hasToString("0");
        assertThat(Json.read(Json.write(SignedDecimal.of("-100000")), SignedDecimal.class))
                .isEqualTo(SignedDecimal.of("-100000"));
    }

    @DisplayName("What PostgreSQL or a client could not calculate with is no amount")
    @Test
    void oddTextIsRefused() {
        for (String odd : List.of("", "-", "+1", "1e3", "1,5", "1234567890123456789", "0.1234567891", "NaN")) {
            assertThatThrownBy(() -> SignedDecimal.of(odd)).as(odd).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
