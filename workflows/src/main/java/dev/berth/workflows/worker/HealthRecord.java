package dev.berth.workflows.worker;

import com.fasterxml.jackson.annotation.JsonInclude;
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
@JsonInclude(JsonInclude.Include.NON_DEFAULT)
public record HealthRecord(
        boolean doubted,
        boolean heartbeatMissed,
        boolean epochLost,
        @Nullable Instant checkAt,
        @Nullable Instant answeredAt,
        @Nullable Instant silentSince,
        @Nullable Instant noHeartbeatSince,
        @Nullable String death) {
    static final HealthRecord NONE = new HealthRecord(false, false, false, null, null, null, null, null);

    /** Forget what is known of the previous process. */
    HealthRecord ofNewProcess() {
        return new HealthRecord(doubted, false, epochLost, null, null, null, null, death);
    }

    HealthRecord doubt() {
        return new HealthRecord(
                true, heartbeatMissed, epochLost, checkAt, answeredAt, silentSince, noHeartbeatSince, death);
    }

    HealthRecord missHeartbeat() {
        return new HealthRecord(true, true, epochLost, checkAt, answeredAt, silentSince, noHeartbeatSince, death);
    }

    HealthRecord withHeartbeat() {
        return new HealthRecord(doubted, false, epochLost, checkAt, answeredAt, silentSince, null, death);
    }

    HealthRecord withoutHeartbeatSince(Instant time) {
        Instant since = noHeartbeatSince == null ? time : noHeartbeatSince;
        return new HealthRecord(doubted, false, epochLost, checkAt, answeredAt, silentSince, since, death);
    }

    HealthRecord withEpochLost(boolean lost) {
        return new HealthRecord(
                doubted, heartbeatMissed, lost, checkAt, answeredAt, silentSince, noHeartbeatSince, death);
    }

    /** A check begins: only a new signal, or a new time, calls for the next. */
    HealthRecord checking() {
        return new HealthRecord(
                false, heartbeatMissed, epochLost, null, answeredAt, silentSince, noHeartbeatSince, death);
    }

    HealthRecord checkAgainAt(Instant time) {
        return new HealthRecord(
                doubted, heartbeatMissed, epochLost, time, answeredAt, silentSince, noHeartbeatSince, death);
    }

    HealthRecord answered(Instant time) {
        return new HealthRecord(doubted, heartbeatMissed, epochLost, checkAt, time, null, noHeartbeatSince, death);
    }

    HealthRecord withSilentSince(@Nullable Instant time) {
        return new HealthRecord(
                doubted, heartbeatMissed, epochLost, checkAt, answeredAt, time, noHeartbeatSince, death);
    }

    HealthRecord withDeath(@Nullable String reason) {
        return new HealthRecord(
                doubted, heartbeatMissed, epochLost, checkAt, answeredAt, silentSince, noHeartbeatSince, reason);
    }
}
