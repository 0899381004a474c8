package dev.berth.workflows.account;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.SignedDecimal;
import org.jspecify.annotations.Nullable;

/**
 * What an account holds of one symbol.
 *
 * @param symbol as in orders
 * @param assetClass the broker's word, such as {@code us_equity}
 * @param quantity negative when short
 * @param availableQuantity of the quantity's size, not held by orders that would close it
 * @param marketValue at the broker's price, negative when short; null when it does not tell
 */
public record AccountPosition(
        String symbol,
        String assetClass,
        SignedDecimal quantity,
        Decimal availableQuantity,
        Decimal averageEntryPrice,
        String currency,
        @Nullable SignedDecimal marketValue) {}
