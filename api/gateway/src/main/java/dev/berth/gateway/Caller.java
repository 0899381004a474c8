package dev.berth.gateway;

import dev.berth.workflows.TraceContext;
import io.grpc.Context;
import org.jspecify.annotations.Nullable;

/**
 * The task that makes a call.
 *
 * @param assignment null for a pool worker that has no user, or shows none
 */
record Caller(TaskCertificate task, @Nullable Assignment assignment) {
    static final Context.Key<Caller> KEY = Context.key("caller");

    /** The span that the call is part of; null when it names none. */
    static final Context.Key<TraceContext> TRACE = Context.key("trace");

    /** The user that it serves: a pool worker without one serves its warm-up. */
    Assignment serving() {
        return assignment == null ? Assignment.warmUp(task.taskId()) : assignment;
    }

    /** As Temporal and the logs show it. */
    String identity(String claimed) {
        boolean own = claimed.startsWith(task.taskId() + "@") && claimed.length() <= 200;
        return own ? claimed : task.taskId();
    }

    @Override
    public String toString() {
        return "task " + task.taskId() + (assignment == null ? "" : " of " + assignment.userId());
    }
}
