package dev.berth.rest.risk;

/**
 * How many orders may wait for the venue's first answer.
 *
 * @param ofAll of all users
 * @param ofUser of one user
 * @param reserve the last places of {@code ofAll}, for users with few orders
 * @param few a user with fewer active orders may use the reserve
 */
public record AdmissionLimits(int ofAll, int ofUser, int reserve, int few) {
    /** The reserve takes nothing from what one user alone may have: a small system has none. */
    int beforeReserve() {
        return ofAll - Math.min(reserve, Math.max(0, ofAll - ofUser));
    }
}
