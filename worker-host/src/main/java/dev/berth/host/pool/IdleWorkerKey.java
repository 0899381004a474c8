package dev.berth.host.pool;

import dev.berth.host.gateway.GatewayClient;
import dev.berth.temporal.gateway.GatewayMessages.HeartbeatVerdict;
import dev.berth.workflows.pool.ClaimMessage;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.Optional;
import java.util.function.Supplier;

/** The heartbeat key of an idle pool worker, and its place on the idle list. */
final class IdleWorkerKey {
    private final GatewayClient gateway;
    private final String taskId;
    /** The gateway refuses renewals of a worker that has a user. */
    private boolean isTaken;

    IdleWorkerKey(GatewayClient gateway, String taskId) {
        this.gateway = gateway;
        this.taskId = taskId;
    }

    /**
     * Sets or extends the key; no effect once this worker has a user or has left.
     *
     * @return false when the pool has retired this worker: it must not serve any user
     */
    synchronized boolean renew() {
        return isTaken || !gateway.renewIdle();
    }

    /** Whether the claim is for this process. */
    boolean isForThisTask(ClaimMessage claim) {
        return claim.reservedTask().equals(taskId);
    }

    /** Whether the claim's task may still take it: a reservation lasts longer than a claim. */
    boolean isReserved(ClaimMessage claim) {
        return gateway.isReserved(claim.reservedTask());
    }

    /**
     * Makes this task the worker of a claim's user.
     *
     * @param claim as {@link dev.berth.host.worker.UserWorker#bind}
     * @return empty when the claim is void: it is not the one that this task was reserved for
     * @throws StatusRuntimeException when the outcome is unknown
     */
    synchronized Optional<HeartbeatVerdict> bind(Supplier<HeartbeatVerdict> claim) {
        try {
            HeartbeatVerdict verdict = claim.get();
            isTaken = true;
            return Optional.of(verdict);
        } catch (StatusRuntimeException failed) {
            if (failed.getStatus().getCode() == Status.Code.PERMISSION_DENIED) {
                return Optional.empty();
            }
            throw failed;
        }
    }

    /** Leaves the pool. */
    synchronized void leave() {
        isTaken = true;
        gateway.leaveIdle();
    }
}
