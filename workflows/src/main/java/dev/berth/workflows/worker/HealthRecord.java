package dev.berth.workflows.worker;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the life of the current process.
 *
 * @param doubted a signal asks for a check
 * @param heartbeatMissed a signal reports that its heartbeat key expired, or is still missing
 * @param epochLost it lives, but Redis lost its epoch
 * @param checkAt when the next check is due without a signal
 * @param answeredAt when it last answered
 * @param silentSince since when it has not answered, though it keeps its heartbeat key
 * @param noHeartbeatSince since when it has no heartbeat key, though it answers
 * @param death why it is taken for dead
 */
@RecordBuilder
@JsonInclude(JsonInclude.Include.NON_DEFAULT)
public record HealthRecord(
        boolean doubted,
        boolean heartbeatMissed,
        boolean epochLost,
        @Nullable Instant checkAt,
        @Nullable Instant answeredAt,
        @Nullable Instant silentSince,
        @Nullable Instant noHeartbeatSince,
        @Nullable String death)
        implements HealthRecordBuilder.With {
    static final HealthRecord NONE = new HealthRecord(false, false, false, null, null, null, null, null);

    /** Forget what is known of the previous process. */
    HealthRecord ofNewProcess() {
        return NONE.withDoubted(doubted).withEpochLost(epochLost).withDeath(death);
    }

    HealthRecord doubt() {
        return withDoubted(true);
    }

    HealthRecord missHeartbeat() {
        return withDoubted(true).withHeartbeatMissed(true);
    }

    HealthRecord withHeartbeat() {
        return withHeartbeatMissed(false).withNoHeartbeatSince(null);
    }

    HealthRecord withoutHeartbeatSince(Instant time) {
        return withHeartbeatMissed(false).withNoHeartbeatSince(noHeartbeatSince == null ? time : noHeartbeatSince);
    }

    /** A check begins: only a new signal, or a new time, calls for the next. */
    HealthRecord checking() {
        return withDoubted(false).withCheckAt(null);
    }

    HealthRecord answered(Instant time) {
        return withAnsweredAt(time).withSilentSince(null);
    }
}
