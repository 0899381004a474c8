package dev.berth.activities.launch;

import dev.berth.workflows.UserId;
import org.jspecify.annotations.Nullable;

/**
 * A request for one worker's task. What differs between two workers is their environment alone.
 *
 * @param target where, and of which task definition
 * @param clientToken at most 64 characters; the same one gives the same task for 24 h
 * @param userId null requests an idle pool worker
 * @param epoch of the user's worker; 0 for a pool worker
 * @param enrolmentSecret by which the task enrols at the worker gateway; null: it cannot enrol
 */
public record LaunchRequest(
        LaunchTarget target,
        String clientToken,
        @Nullable UserId userId,
        long epoch,
        @Nullable String enrolmentSecret) {

    LaunchRequest withSecret(String secret) {
        return new LaunchRequest(target, clientToken, userId, epoch, secret);
    }
}
