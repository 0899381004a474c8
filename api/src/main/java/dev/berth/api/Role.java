package dev.berth.api;

import dev.berth.workflows.TaskQueues;
import java.util.Set;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** What a process of this application does beside answering REST, which each does. */
public enum Role {
    /** Carries orders: whoever takes an order in should be at hand for its first step. */
    API,
    /** Looks after the fleet: lifecycles, the pool, and the listeners that tell them what happened. */
    ORCHESTRATOR;

    static final Set<Role> ALL = Set.of(API, ORCHESTRATOR);

    boolean polls(String taskQueue) {
        return switch (this) {
            case API -> taskQueue.equals(TaskQueues.ORDERS);
            case ORCHESTRATOR -> taskQueue.equals(TaskQueues.FLEET) || taskQueue.equals(TaskQueues.LAUNCH);
        };
    }

    /** As the setting {@code berth.roles} says, before there are any beans. */
    static Set<Role> of(Environment environment) {
        return Binder.get(environment)
                .bind("berth.roles", Bindable.setOf(Role.class))
                .orElse(ALL);
    }
}
