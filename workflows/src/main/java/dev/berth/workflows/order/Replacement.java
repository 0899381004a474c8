package dev.berth.workflows.order;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.berth.workflows.Decimal;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a user wants changed in an order; what is absent stays as it is.
 *
 * @param quantity the new total, what is filled already included
 */
public record Replacement(
        @Nullable Decimal quantity,
        @Nullable Decimal limitPrice,
        @Nullable Decimal stopPrice) {

    public Replacement {
        Stream.of(quantity, limitPrice, stopPrice)
                .filter(value -> value != null && !value.isPositive())
                .findFirst()
                .ifPresent(_ -> {
                    throw new IllegalArgumentException("Quantities and prices must be greater than 0.");
                });
    }

    @JsonIgnore
    public boolean isEmpty() {
        return quantity == null && limitPrice == null && stopPrice == null;
    }
}
