package dev.berth.workflows.order;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.PlainText;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * One fill, as the venue reports it, or the bust of one. Repeated, it counts once: its id is unique
 * for the order.
 *
 * @param executionId the venue's own id of the execution, at most 256 characters; a bust names the
 *     execution that it cancels
 * @param version under which of the order's venue ids it was filled: 0 for the first, n for its nth
 *     replacement
 * @param quantity of this execution alone
 * @param at when it happened, by the venue's clock
 * @param busted whether the venue busted it
 * @param fee what the broker took for it; null when the broker does not tell it with the execution
 * @param venueOrderId the venue's id of that version; null until the report that has it is recorded
 */
public record Execution(
        String executionId,
        int version,
        Decimal quantity,
        Decimal price,
        Instant at,
        boolean busted,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable ExecutionFee fee,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String venueOrderId) {
    private static final int LONGEST_ID = 256;

    public Execution {
        if (executionId.length() > LONGEST_ID) {
            throw new IllegalArgumentException("executionId is longer than " + LONGEST_ID + " characters");
        }
        executionId = PlainText.line(executionId);
    }

    /** Without a fee. */
    public Execution(String executionId, int version, Decimal quantity, Decimal price, Instant at, boolean busted) {
        this(executionId, version, quantity, price, at, busted, null, null);
    }

    /** The same, of the order with this id at the venue; null leaves it as it is. */
    Execution under(@Nullable String id) {
        return id == null ? this : new Execution(executionId, version, quantity, price, at, busted, fee, id);
    }

    /** The quantity of those that stand; 0 for none. */
    public static BigDecimal total(Collection<Execution> executions) {
        return executions.stream()
                .filter(execution -> !execution.busted)
                .map(execution -> execution.quantity.value())
                .reduce(BigDecimal.ZERO, BigDecimal::add);
    }
}
