package dev.berth.workflows.broker;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * One account at one broker, and the key of a broker session.
 *
 * @param broker who executes, such as {@code alpaca}
 * @param market what is traded there, such as {@code equity}
 */
public record AccountKey(String broker, String market, Environment environment, String accountId) {
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    private static final int SHOWN = 4;

    public AccountKey {
        if (environment == null) {
            throw new IllegalArgumentException("account.environment is paper or live.");
        }
        requireWord("broker", broker);
        requireWord("market", market);
        requireWord("accountId", accountId);
    }

    /**
     * Reads what {@link #toString} wrote.
     *
     * @throws IllegalArgumentException when it is no account
     */
    public static AccountKey parse(String text) {
        String[] parts = text.split("/", -1);
        if (parts.length != 4) {
            throw new IllegalArgumentException("An account is broker/market/environment/accountId, not " + text + ".");
        }
        return new AccountKey(parts[0], parts[1], Environment.parse(parts[2]), parts[3]);
    }

    private static void requireWord(String field, String value) {
        if (value == null || !WORD.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "account." + field + " is 1 to 64 characters of A-Z, a-z, 0-9, underscore and hyphen.");
        }
    }

    /** For logs: the account id is hidden but for the end of a long one. */
    public String masked() {
        String end = accountId.length() < 2 * SHOWN ? "" : accountId.substring(accountId.length() - SHOWN);
        return String.join("/", broker, market, environment.name().toLowerCase(Locale.ROOT), "****" + end);
    }

    @Override
    public String toString() {
        return String.join("/", broker, market, environment.name().toLowerCase(Locale.ROOT), accountId);
    }
}
