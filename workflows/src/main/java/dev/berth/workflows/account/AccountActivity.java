package dev.berth.workflows.account;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.SignedDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What happened to an account: an execution, a fee, a dividend, a transfer.
 *
 * @param activityId the broker's, unique in the account
 * @param kind the broker's word, such as {@code FILL} or {@code DIV}
 * @param side of an execution, such as {@code buy}
 * @param quantity of the symbol; negative when it left the account otherwise than by a sale
 * @param amount of cash that came, negative when it left; null for an execution
 * @param venueOrderId the venue's id of the order that was executed
 * @param executionId the venue's own id of the execution, as in the ledger; null otherwise
 */
public record AccountActivity(
        String activityId,
        String kind,
        Instant at,
        @Nullable String symbol,
        @Nullable String side,
        @Nullable SignedDecimal quantity,
        @Nullable Decimal price,
        @Nullable SignedDecimal amount,
        @Nullable String venueOrderId,
        @Nullable String description,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String executionId) {
    /** PostgreSQL has an index of it. */
    private static final int LONGEST_ID = 256;

    public AccountActivity {
        if (activityId.length() > LONGEST_ID) {
            throw new IllegalArgumentException("activityId is longer than " + LONGEST_ID + " characters");
        }
    }
}
