package dev.berth.gateway;

import dev.berth.temporal.gateway.GatewayMethods;
import dev.berth.workflows.UserId;

/** The user that a task serves, and with which epoch. */
record Assignment(String taskId, UserId userId, long epoch) {
    /** A pool worker before its claim: a user that does not exist. */
    static Assignment warmUp(String taskId) {
        return new Assignment(taskId, new UserId(GatewayMethods.warmUpUser(taskId)), 0);
    }
}
