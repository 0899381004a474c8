package dev.berth.rest.audit;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row of the audit, as it is stored. Text, so that a changed row can be shown too.
 *
 * @param chain OPERATORS, or USERS for what users do to their own accounts and webhooks
 * @param number from 1 in each chain, without a gap
 * @param at by the clock of PostgreSQL, in microseconds
 * @param scope the scopes of the actor's token
 * @param userId absent when it concerns all users, or a broker
 * @param outcome DONE: the change was committed with this row. REQUESTED: this row was written
 *     before the effect
 * @param requestId the header X-Request-Id of the call
 * @param previousHash of the row before in its chain; 64 zeros in the first row
 * @param hash SHA-256 over {@code previousHash} and every other field, in hexadecimal digits
 */
public record AuditRow(
        String chain,
        long number,
        Instant at,
        String actor,
        String scope,
        String action,
        @Nullable String userId,
        String outcome,
        String detail,
        @Nullable String requestId,
        String previousHash,
        String hash) {

    /** Its name in searches. */
    public AuditPosition position() {
        return new AuditPosition(chain, number);
    }

    static AuditRow of(ResultSet row, int number) throws SQLException {
        return new AuditRow(
                row.getString("chain"),
                row.getLong("number"),
                row.getTimestamp("at").toInstant(),
                row.getString("actor"),
                row.getString("scope"),
                row.getString("action"),
                row.getString("user_id"),
                row.getString("outcome"),
                row.getString("detail"),
                row.getString("request_id"),
                row.getString("previous_hash"),
                row.getString("hash"));
    }
}
