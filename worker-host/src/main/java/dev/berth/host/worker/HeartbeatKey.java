package dev.berth.host.worker;

import dev.berth.host.HostConnections;
import dev.berth.host.gateway.GatewayClient;
import dev.berth.temporal.gateway.GatewayMessages.HeartbeatRequest;
import dev.berth.temporal.gateway.GatewayMessages.HeartbeatVerdict;
import dev.berth.temporal.gateway.GatewayMessages.ReportedActivity;
import dev.berth.workflows.UserId;
import java.time.Instant;

/**
 * The Redis key that says which task serves a user, with its metadata. The gateway changes it, and
 * first compares the epoch.
 */
final class HeartbeatKey {
    private final GatewayClient gateway;
    private final HostConnections host;
    /** Of the process, which may have waited in the pool. */
    private final Instant launchedAt =
            ProcessHandle.current().info().startInstant().orElseGet(Instant::now);

    HeartbeatKey(HostConnections host) {
        this.host = host;
        this.gateway = host.gateway().client();
    }

    /**
     * Sets or extends the key.
     *
     * @throws io.grpc.StatusRuntimeException when gateway or Redis does not answer
     */
    HeartbeatVerdict renew(ReportedActivity activity) {
        return gateway.renewHeartbeat(request(activity));
    }

    /**
     * Makes this pool worker the user's and sets the key.
     *
     * @throws io.grpc.StatusRuntimeException {@code PERMISSION_DENIED} when the claim is not this
     *     task's; else when gateway or Redis does not answer
     */
    HeartbeatVerdict bind(UserId userId, long epoch, ReportedActivity activity) {
        return gateway.bind(userId, epoch, request(activity));
    }

    private HeartbeatRequest request(ReportedActivity activity) {
        return new HeartbeatRequest(
                activity, host.task().host(), host.task().pid(), host.settings().version(), launchedAt.toString());
    }

    /** Updates the metadata. No effect when the key is gone or another task holds it. */
    void update(ReportedActivity activity) {
        gateway.updateHeartbeat(activity);
    }

    /** Removes the key. No effect when the key is gone or another task holds it. */
    void remove() {
        gateway.removeHeartbeat();
    }
}
