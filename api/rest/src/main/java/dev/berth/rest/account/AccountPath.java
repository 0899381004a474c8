package dev.berth.rest.account;

import dev.berth.rest.Problem;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.Environment;

/** The account in a path. */
final class AccountPath {
    static final String ACCOUNT = "/{broker}/{market}/{environment}/{accountId}";

    private AccountPath() {}

    /** @throws Problem.Refusal when it is none */
    static AccountKey key(String broker, String market, String environment, String accountId) {
        try {
            return new AccountKey(broker, market, Environment.parse(environment), accountId);
        } catch (IllegalArgumentException invalid) {
            throw Problem.INVALID_ACCOUNT.because(String.valueOf(invalid.getMessage()));
        }
    }
}
