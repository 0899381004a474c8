package dev.berth.api;

import dev.berth.workflows.TaskQueues;
import java.util.Set;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** A role of a process. Every process serves REST. */
public enum Role {
    /**
     * Runs order workflows, so that the process that accepts an order can run its first step at
     * once.
     */
    API,
    /** Runs lifecycles, the pool and the sweep, and the listeners that signal them. */
    ORCHESTRATOR;

    static final Set<Role> ALL = Set.of(API, ORCHESTRATOR);

    boolean polls(String taskQueue) {
        return switch (this) {
            case API -> taskQueue.equals(TaskQueues.ORDERS);
            case ORCHESTRATOR -> taskQueue.equals(TaskQueues.FLEET) || taskQueue.equals(TaskQueues.LAUNCH);
        };
    }

    /** Reads {@code berth.roles} before any bean exists. */
    static Set<Role> of(Environment environment) {
        return Binder.get(environment)
                .bind("berth.roles", Bindable.setOf(Role.class))
                .orElse(ALL);
    }
}
