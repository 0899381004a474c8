package dev.berth.workflows.pool;

import java.util.List;

/**
 * What a look at the pool found.
 *
 * @param idle workers that could be claimed now
 * @param arrived those of the starting tasks that became idle, or serve a user already; by ARN
 * @param gone those of the starting tasks that ECS says are stopped; by ARN
 * @param surplus idle tasks above the target, those to be retired first in front, at most 10; by ARN
 * @param hasTooOld whether an idle worker is older than the maximum lifetime
 */
public record PoolView(int idle, List<String> arrived, List<String> gone, List<String> surplus, boolean hasTooOld) {}
