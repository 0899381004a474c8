package dev.berth.host.worker;

import dev.berth.host.HostConnections;
import dev.berth.host.gateway.WorkerGatewayClient;
import dev.berth.temporal.gateway.GatewayMessages.HeartbeatVerdict;
import dev.berth.temporal.gateway.GatewayMessages.ReportedActivity;

/**
 * The Redis key that says which task serves a user, with its metadata. The gateway changes it, and
 * first compares the epoch.
 */
final class HeartbeatKey {
    private final WorkerGatewayClient gateway;
    private final HostConnections host;

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
        return gateway.renewHeartbeat(host.heartbeat(activity));
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
