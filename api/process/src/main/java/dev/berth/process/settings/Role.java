package dev.berth.process.settings;

import dev.berth.workflows.TaskQueues;
import java.util.Set;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** A role of a process. A process without {@link #API} serves health and metrics only. */
public enum Role {
    /**
     * Serves REST, and runs order workflows, so that the process that accepts an order can run its
     * first step at once.
     */
    API,
    /** Runs lifecycles, the pool and the sweep, and the listeners that signal them. */
    ORCHESTRATOR,
    /** Serves the workers. */
    GATEWAY;

    static final Set<Role> DEFAULT = Set.of(API, ORCHESTRATOR);
    public static final Set<Role> GATEWAY_ALONE = Set.of(GATEWAY);

    /** Whether the role runs a Temporal worker of this queue. */
    public boolean polls(String taskQueue) {
        return switch (this) {
            case API -> taskQueue.equals(TaskQueues.ORDERS);
            case ORCHESTRATOR ->
                Set.of(TaskQueues.FLEET, TaskQueues.LAUNCH, TaskQueues.WEBHOOKS).contains(taskQueue);
            case GATEWAY -> false;
        };
    }

    /** Reads {@code berth.roles} before any bean exists. */
    public static Set<Role> of(Environment environment) {
        return Binder.get(environment)
                .bind("berth.roles", Bindable.setOf(Role.class))
                .orElse(DEFAULT);
    }
}
