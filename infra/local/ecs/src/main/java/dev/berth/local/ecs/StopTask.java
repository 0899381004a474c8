package dev.berth.local.ecs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.local.ecs.Task.StopCode;
import java.util.function.Supplier;

/**
 * Asks a task to end, and answers before it has. One that has stopped already is answered as it is.
 */
final class StopTask {
    private static final int LONGEST_REASON = 255;

    private final Clusters clusters;
    private final TaskLedger ledger;
    private final Agent agent;
    private final Supplier<EcsFaults> faults;
    private final Supplier<PhantomTasks> phantoms;

    StopTask(
            Clusters clusters,
            TaskLedger ledger,
            Agent agent,
            Supplier<EcsFaults> faults,
            Supplier<PhantomTasks> phantoms) {
        this.clusters = clusters;
        this.ledger = ledger;
        this.agent = agent;
        this.faults = faults;
        this.phantoms = phantoms;
    }

    JsonNode answer(ApiRequest request) {
        clusters.of(request);
        String id = request.required("task");
        String reason = request.text("reason").orElse("Task stopped by user");
        if (reason.length() > LONGEST_REASON) {
            throw ApiError.invalidParameter("reason is longer than " + LONGEST_REASON + " characters");
        }
        Task task = ledger.find(id)
                .filter(faults.get()::knows)
                .map(found -> stop(found.id(), reason))
                .or(() -> phantoms.get().stop(id, reason, ledger.now()))
                .orElseThrow(() -> ApiError.invalidParameter("The referenced task was not found."));
        return EcsJson.object()
                .set("task", TaskJson.API.render(task).set("tags", task.plan().tags()));
    }

    private Task stop(String taskId, String reason) {
        Task task = ledger.change(taskId, it -> it.stopRequested(StopCode.UserInitiated, reason, ledger.now()));
        if (task.end() == null && !faults.get().ignoreStop()) {
            agent.stop(taskId);
        }
        return task;
    }
}
