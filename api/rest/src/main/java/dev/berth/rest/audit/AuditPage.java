package dev.berth.rest.audit;

import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the audit, newest rows first.
 *
 * @param nextCursor the value of {@code after} for the next page; absent on the last one
 */
record AuditPage(List<Row> rows, @Nullable String nextCursor) {
    /**
     * A row. Its action is text, since a changed row may have any.
     *
     * @param chain OPERATORS, or USERS for what users do to their own accounts and webhooks
     * @param number from 1 in each chain, without a gap
     * @param scope the scopes of the actor's token
     * @param userId absent when it concerns all users, or a broker
     * @param outcome DONE: the change was committed with this row. REQUESTED: this row was written
     *     before the effect
     * @param requestId the header X-Request-Id of the call
     * @param previousHash the hash of the row before in its chain
     */
    @Schema(name = "AuditRow")
    record Row(
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
        static Row of(AuditRow row) {
            return new Row(
                    row.chain(),
                    row.number(),
                    row.at(),
                    row.actor(),
                    row.scope(),
                    row.action(),
                    row.userId(),
                    row.outcome(),
                    row.detail(),
                    row.requestId(),
                    row.previousHash(),
                    row.hash());
        }
    }

    static AuditPage of(List<AuditRow> rows, int limit) {
        return new AuditPage(
                rows.stream().map(Row::of).toList(),
                rows.size() < limit ? null : rows.getLast().position().toString());
    }
}
