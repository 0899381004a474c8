package dev.berth.activities.audit;

/** Why the audit is not intact. */
public sealed interface AuditFault {
    /** One sentence for a person. */
    String text();

    /** The first row that is not as it was written. */
    record Changed(long number) implements AuditFault {
        @Override
        public String text() {
            return "Row " + number + " was changed after it was written.";
        }
    }

    /** The first row that is not there, though a later one is. */
    record Missing(long number) implements AuditFault {
        @Override
        public String text() {
            return "Row " + number + " was removed.";
        }
    }

    /** No row has the expected hash: newer rows were removed, or the chain was written again. */
    record HeadMissing(String expected) implements AuditFault {
        @Override
        public String text() {
            return "No row has the expected hash " + expected
                    + ": rows were removed at the end, or the whole audit was written again.";
        }
    }
}
