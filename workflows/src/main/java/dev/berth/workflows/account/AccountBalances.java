package dev.berth.workflows.account;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.SignedDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The money of an account.
 *
 * @param currency of the amounts beside it, such as {@code USD}
 * @param cash settled and unsettled; negative when borrowed
 * @param equity cash and positions at the broker's prices; null when the broker does not tell
 * @param buyingPower for which orders may still be placed; null when the broker does not tell
 * @param currencies what the account holds of each currency, the named one included
 * @param restrictions the broker's words for what the account may not do now; empty when it may
 *     trade
 */
public record AccountBalances(
        String currency,
        SignedDecimal cash,
        @Nullable SignedDecimal equity,
        @Nullable Decimal buyingPower,
        List<CurrencyBalance> currencies,
        List<String> restrictions) {
    public AccountBalances {
        currencies = List.copyOf(currencies);
        restrictions = List.copyOf(restrictions);
    }

    /**
     * What the account holds of one currency.
     *
     * @param available not held by open orders, and not negative
     */
    public record CurrencyBalance(String currency, SignedDecimal total, Decimal available) {}
}
