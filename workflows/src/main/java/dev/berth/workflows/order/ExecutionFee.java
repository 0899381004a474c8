package dev.berth.workflows.order;

import dev.berth.workflows.PlainText;
import dev.berth.workflows.SignedDecimal;

/**
 * What a broker took for one execution, as it tells it with the execution itself.
 *
 * @param amount negative when the broker paid it
 * @param currency such as {@code USD}, or {@code BTC} of a fee that is taken in crypto
 */
public record ExecutionFee(SignedDecimal amount, String currency) {
    private static final int LONGEST_CURRENCY = 16;

    public ExecutionFee {
        if (currency.isEmpty() || currency.length() > LONGEST_CURRENCY) {
            throw new IllegalArgumentException("currency is 1 to " + LONGEST_CURRENCY + " characters");
        }
        currency = PlainText.line(currency);
    }
}
