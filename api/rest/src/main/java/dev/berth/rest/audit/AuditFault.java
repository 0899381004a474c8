package dev.berth.rest.audit;

/** Why the audit is not intact. */
public sealed interface AuditFault {
    /** One sentence for a person. */
    String text();

    /** The first row of its chain that is not as it was written. */
    record Changed(AuditPosition row) implements AuditFault {
        @Override
        public String text() {
            return "Row " + row + " was changed after it was written.";
        }
    }

    /** The first row of its chain that is not there, though a later one is. */
    record Missing(AuditPosition row) implements AuditFault {
        @Override
        public String text() {
            return "Row " + row + " was removed.";
        }
    }

    /**
     * No row of the chain has the expected hash: newer rows were removed, or the chain was written
     * again.
     */
    record HeadMissing(AuditChain chain, String expected) implements AuditFault {
        @Override
        public String text() {
            return "No row of " + chain + " has the expected hash " + expected
                    + ": rows were removed at the end, or the whole chain was written again.";
        }
    }
}
