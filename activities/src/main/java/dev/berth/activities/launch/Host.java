package dev.berth.activities.launch;

/**
 * A machine that runs tasks.
 *
 * @param arn of the container instance
 * @param tasks that run or start on it, of any service
 */
public record Host(String arn, int tasks) {}
