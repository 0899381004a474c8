package dev.berth.rest.audit;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.temporal.ChronoField;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Follows one chain from its first row. It computes each hash itself: the function in the database
 * belongs to the one who could have changed the rows.
 */
final class AuditChainCheck {
    static final String START = "0".repeat(64);

    private final AuditChain chain;
    private final @Nullable String expectedHead;
    private boolean isHeadFound;
    private long rows;
    private String head = START;
    private @Nullable AuditFault fault;

    /**
     * A chain before its first row.
     *
     * @param expectedHead the hash that some row must have; null for none
     */
    AuditChainCheck(AuditChain chain, @Nullable String expectedHead) {
        this.chain = chain;
        this.expectedHead = expectedHead;
        this.isHeadFound = expectedHead == null || expectedHead.equals(START);
    }

    /** Follows rows, in the order of their numbers. False once a fault is found. */
    boolean follow(Iterable<AuditRow> next) {
        for (AuditRow row : next) {
            fault = faultOf(row);
            if (fault != null) {
                return false;
            }
            rows = row.number();
            head = row.hash();
            isHeadFound |= head.equals(expectedHead);
        }
        return true;
    }

    private @Nullable AuditFault faultOf(AuditRow row) {
        if (row.number() <= rows || !hash(row).equals(row.hash())) {
            return new AuditFault.Changed(row.position());
        }
        if (row.number() > rows + 1) {
            return new AuditFault.Missing(at(rows + 1));
        }
        // The row before has a right hash, but not the one that it had when this row was written.
        return row.previousHash().equals(head) ? null : new AuditFault.Changed(at(Math.max(rows, 1)));
    }

    private AuditPosition at(long number) {
        return new AuditPosition(chain.name(), number);
    }

    /** Rows that were followed and found intact. */
    long rows() {
        return rows;
    }

    /** The hash of the last of them. */
    String head() {
        return head;
    }

    /** Null when the chain is intact. */
    @Nullable
    AuditFault fault() {
        return fault == null && !isHeadFound && expectedHead != null
                ? new AuditFault.HeadMissing(chain, expectedHead)
                : fault;
    }

    /** The hash that a row must have; {@code audit_hash} in the database computes the same. */
    static String hash(AuditRow row) {
        long micros = row.at().getEpochSecond() * 1_000_000 + row.at().getLong(ChronoField.MICRO_OF_SECOND);
        String fields = field(row.previousHash())
                + field(row.chain())
                + field(Long.toString(row.number()))
                + field(Long.toString(micros))
                + field(row.actor())
                + field(row.scope())
                + field(row.action())
                + field(row.userId())
                + field(row.outcome())
                + field(row.detail())
                + field(row.requestId());
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(fields.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException everyJdkHasIt) {
            throw new IllegalStateException(everyJdkHasIt);
        }
    }

    /** With its length, so that no text can move from one field into the next. */
    private static String field(@Nullable String value) {
        return value == null ? "-" : value.getBytes(StandardCharsets.UTF_8).length + ":" + value;
    }
}
