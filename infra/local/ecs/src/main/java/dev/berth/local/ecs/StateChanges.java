package dev.berth.local.ecs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.local.ecs.Task.TaskStatus;
import java.time.Instant;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Turns changes of tasks into <i>ECS Task State Change</i> events in EventBridge's envelope.
 *
 * @param sink receives the JSON of an event; must not block
 */
record StateChanges(Consumer<String> sink, Supplier<EcsFaults> faults) implements TaskLedger.TaskChangeListener {

    @Override
    public void changed(@Nullable Task before, Task after) {
        boolean nowRunningOrStopped = (before == null || before.lastStatus() != after.lastStatus())
                && (after.lastStatus() == TaskStatus.RUNNING || after.lastStatus() == TaskStatus.STOPPED);
        boolean nowToBeStopped = before != null && before.desiredStatus() != after.desiredStatus();
        if ((nowRunningOrStopped || nowToBeStopped) && !faults.get().dropEvents()) {
            sink.accept(envelope(after).toString());
        }
    }

    private static ObjectNode envelope(Task task) {
        String now = Instant.now().toString();
        ObjectNode envelope = EcsJson.object()
                .put("version", "0")
                .put("id", UUID.randomUUID().toString())
                .put("detail-type", "ECS Task State Change")
                .put("source", "aws.ecs")
                .put("account", Arn.ACCOUNT)
                .put("time", now)
                .put("region", Arn.REGION);
        envelope.putArray("resources").add(task.plan().arn());
        envelope.set("detail", TaskJson.EVENT.render(task).put("updatedAt", now));
        return envelope;
    }
}
