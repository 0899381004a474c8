package dev.berth.workflows.worker;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The request to replace a process that works by another one.
 *
 * @param taskArn of the process to be replaced; of no other
 * @param reason its host drains, or a newer version is out
 * @param validUntil a request that is not repeated ends: the host may be active again
 * @param tryAt when the next step is due
 * @param successor ARN of the pool worker that was launched for it; absent before
 * @param launchedAt when the successor was launched
 */
@RecordBuilder
@JsonInclude(JsonInclude.Include.NON_DEFAULT)
public record HandOver(
        String taskArn,
        String reason,
        Instant validUntil,
        Instant tryAt,
        @Nullable String successor,
        @Nullable Instant launchedAt)
        implements HandOverBuilder.With {
    static HandOver requested(String taskArn, String reason, Instant now) {
        return new HandOver(taskArn, reason, now.plus(HandOverPolicies.REQUEST), now, null, null);
    }

    HandOver repeated(Instant now) {
        return withValidUntil(now.plus(HandOverPolicies.REQUEST));
    }

    HandOver launched(String task, Instant now) {
        return withTryAt(now).withSuccessor(task).withLaunchedAt(now);
    }

    /** The successor did not become idle, or served another user first. */
    HandOver withoutSuccessor(Instant nextTry) {
        return withTryAt(nextTry).withSuccessor(null).withLaunchedAt(null);
    }

    /** A successor that was launched is used, even when the request was not repeated. */
    @JsonIgnore
    boolean isOver(Instant now) {
        return successor == null && !now.isBefore(validUntil);
    }
}
