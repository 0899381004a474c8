package dev.berth.acceptance.bench;

import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.WorkflowEvent;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The times of a user's first start, from the lifecycle's history, by this machine's clock.
 *
 * @param asked the start's signal
 * @param sent the claim is recorded as sent, or ECS has answered the launch
 * @param attached the signal {@code attached}, after the heartbeat key
 * @param connected the session is open
 * @param active the lifecycle is {@code ACTIVE}
 */
record StartTimes(Instant asked, Instant sent, Instant attached, Instant connected, Instant active) {

    static StartTimes of(Stack stack, String user) throws IOException, InterruptedException {
        List<WorkflowEvent> events = WorkflowEvent.of(stack.history("worker:" + user));
        WorkflowEvent open = scheduled(events, "openSession").orElseThrow();
        Instant sent = scheduled(events, "runTask")
                .map(run -> completed(events, run).eventTime())
                .orElseGet(() -> became(events, "CLAIMED").eventTime());
        return new StartTimes(
                events.getFirst().eventTime(),
                sent,
                attached(events).eventTime(),
                completed(events, open).eventTime(),
                became(events, "ACTIVE").eventTime());
    }

    private static Optional<WorkflowEvent> scheduled(List<WorkflowEvent> events, String activity) {
        return events.stream().filter(event -> event.schedules(activity)).findFirst();
    }

    private static WorkflowEvent completed(List<WorkflowEvent> events, WorkflowEvent scheduled) {
        return events.stream()
                .filter(event -> event.completes(scheduled))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("not completed: " + scheduled));
    }

    private static WorkflowEvent attached(List<WorkflowEvent> events) {
        return events.stream()
                .filter(event -> event.isSignal("attached"))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("its process never attached"));
    }

    private static WorkflowEvent became(List<WorkflowEvent> events, String state) {
        return events.stream()
                .filter(event -> event.changed("BerthWorkerState").equals(Optional.of("\"" + state + "\"")))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("never " + state));
    }
}
