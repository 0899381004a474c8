package dev.berth.acceptance.verify;

import java.math.BigDecimal;

/**
 * What executions, fees and activities of an account add up to.
 *
 * @param unheard how much more cash it would be with the prices that the venue corrected while no
 *     session heard of it: the activities have them, the ledger does not
 */
record RecordedAccount(AccountHoldings holdings, BigDecimal unheard) {
    AccountHoldings corrected() {
        return new AccountHoldings(
                holdings.account(), holdings.asOf(), holdings.cash().add(unheard), holdings.positions());
    }
}
