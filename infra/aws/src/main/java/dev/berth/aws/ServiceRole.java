package dev.berth.aws;

import dev.berth.aws.NetworkStack.Zone;
import java.util.Locale;

/** A service of the application, by its role. */
enum ServiceRole {
    API(Zone.API, Permissions.API, Permissions.API_START, Size.API_TASKS, Size.API_TASKS_MAX),
    ORCHESTRATOR(
            Zone.ORCHESTRATOR,
            Permissions.ORCHESTRATOR,
            Permissions.ORCHESTRATOR_START,
            Size.ORCHESTRATOR_TASKS,
            Size.ORCHESTRATOR_TASKS_MAX),
    GATEWAY(Zone.GATEWAY, Permissions.GATEWAY, Permissions.GATEWAY_START, Size.GATEWAY_TASKS, Size.GATEWAY_TASKS_MAX);

    private final Zone zone;
    private final Permissions task;
    private final Permissions start;
    private final Size least;
    private final Size most;

    ServiceRole(Zone zone, Permissions task, Permissions start, Size least, Size most) {
        this.zone = zone;
        this.task = task;
        this.start = start;
        this.least = least;
        this.most = most;
    }

    Zone zone() {
        return zone;
    }

    Permissions task() {
        return task;
    }

    Permissions start() {
        return start;
    }

    Size least() {
        return least;
    }

    Size most() {
        return most;
    }

    /** As in {@code berth.roles}. */
    String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
