package dev.berth.activities.account;

import dev.berth.workflows.account.AccountBalances;
import dev.berth.workflows.account.AccountPosition;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a report holds.
 *
 * @param currency of the account
 * @param currencies those that the broker tells as money
 * @param amounts of each currency, and the signed quantity of each position
 */
record AccountHolding(String currency, Set<String> currencies, Map<String, BigDecimal> amounts) {
    AccountHolding {
        currencies = Set.copyOf(currencies);
        amounts = Map.copyOf(amounts);
    }

    static AccountHolding of(AccountBalances balances, List<AccountPosition> positions) {
        Map<String, BigDecimal> amounts = new HashMap<>();
        balances.currencies()
                .forEach(one -> amounts.put(one.currency(), one.total().value()));
        amounts.putIfAbsent(balances.currency(), balances.cash().value());
        Set<String> currencies = Set.copyOf(amounts.keySet());
        positions.forEach(
                position -> amounts.merge(position.symbol(), position.quantity().value(), BigDecimal::add));
        return new AccountHolding(balances.currency(), currencies, amounts);
    }

    BigDecimal amount(String asset) {
        return amounts.getOrDefault(asset, BigDecimal.ZERO);
    }
}
