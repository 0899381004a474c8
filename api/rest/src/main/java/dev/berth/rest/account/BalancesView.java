package dev.berth.rest.account;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.berth.activities.account.AccountReadModel.Reported;
import dev.berth.workflows.account.AccountBalances;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The money of an account. Amounts are decimal strings.
 *
 * @param asOf the broker answered later than this
 * @param equity null when the broker does not tell; so is buyingPower
 * @param restrictions the broker's words for what the account may not do now
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record BalancesView(
        Instant asOf,
        String currency,
        String cash,
        @Nullable String equity,
        @Nullable String buyingPower,
        List<CurrencyView> currencies,
        List<String> restrictions) {

    /** What the account holds of one currency. */
    public record CurrencyView(String currency, String total, String available) {}

    /** As its user sees it. */
    public static BalancesView of(Reported<AccountBalances> reported) {
        AccountBalances balances = reported.content();
        return new BalancesView(
                reported.asOf(),
                balances.currency(),
                balances.cash().toString(),
                Objects.toString(balances.equity(), null),
                Objects.toString(balances.buyingPower(), null),
                balances.currencies().stream()
                        .map(one -> new CurrencyView(
                                one.currency(),
                                one.total().toString(),
                                one.available().toString()))
                        .toList(),
                balances.restrictions());
    }
}
