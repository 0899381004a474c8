package dev.berth.rest.order;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.order;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.rest.Problem;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.order.Replacement;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NewTermsTest {
    @Test
    void containsOnlyGivenTerms() {
        assertThat(new NewTerms("12.50", null, null).of(order(ALICE, "o-1", Instant.EPOCH)))
                .isEqualTo(new Replacement(Decimal.of("12.5"), null, null));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "     |     |     | Name what to replace",
                "0    |     |     | greater than 0",
                "-1   |     |     | quantity: A decimal",
                "1e3  |     |     | quantity: A decimal",
                "     | 9.5 |     | takes no limitPrice",
                "5    |     | 9.5 | takes no stopPrice",
            })
    void invalidTermsAreRefused(
            @Nullable String quantity, @Nullable String limitPrice, @Nullable String stopPrice, String because) {
        NewTerms terms = new NewTerms(quantity, limitPrice, stopPrice);
        assertThatThrownBy(() -> terms.of(order(ALICE, "o-1", Instant.EPOCH)))
                .isInstanceOfSatisfying(
                        Problem.Refusal.class,
                        refusal -> assertThat(refusal.detail().getType())
                                .isEqualTo(Problem.INVALID_ORDER.detail("").getType()))
                .hasMessageContaining(because);
    }
}
