package dev.berth.workflows.worker;

import dev.berth.workflows.worker.WorkerStatus.Active;
import dev.berth.workflows.worker.WorkerStatus.BackingOff;
import dev.berth.workflows.worker.WorkerStatus.Burying;
import dev.berth.workflows.worker.WorkerStatus.Claimed;
import dev.berth.workflows.worker.WorkerStatus.Connecting;
import dev.berth.workflows.worker.WorkerStatus.Draining;
import dev.berth.workflows.worker.WorkerStatus.Failed;
import dev.berth.workflows.worker.WorkerStatus.HealthCheck;
import dev.berth.workflows.worker.WorkerStatus.Launching;
import dev.berth.workflows.worker.WorkerStatus.Suspended;
import dev.berth.workflows.worker.WorkerStatus.Terminated;

/** Which state of a worker may follow which. */
final class WorkerMoves {
    private WorkerMoves() {}

    /** A state may always be followed by itself with other details, such as the next attempt. */
    static boolean allows(WorkerStatus from, WorkerStatus to) {
        return from.getClass() == to.getClass()
                || switch (from) {
                    // At rest: a start, or another rest. Connecting at once is the adoption of a live process.
                    case Terminated _, Suspended _, Failed _, BackingOff _ ->
                        to instanceof Claimed || to instanceof Launching || to instanceof Connecting || rests(to);
                    case Claimed _ -> to instanceof Connecting || to instanceof Launching || rests(to);
                    case Launching _ -> to instanceof Connecting || rests(to);
                    case Connecting _ -> to instanceof Active || to instanceof Burying || rests(to);
                    case Active _ -> to instanceof HealthCheck || to instanceof Burying || to instanceof Draining;
                    case HealthCheck _ -> to instanceof Active || to instanceof Burying || to instanceof Draining;
                    // A worker that was to close only if idle, and is busy, goes on.
                    case Draining _ -> to instanceof Active || to instanceof Burying || rests(to);
                    case Burying _ -> to instanceof Claimed || to instanceof Launching || rests(to);
                };
    }

    private static boolean rests(WorkerStatus status) {
        return status instanceof Terminated
                || status instanceof Suspended
                || status instanceof Failed
                || status instanceof BackingOff;
    }
}
