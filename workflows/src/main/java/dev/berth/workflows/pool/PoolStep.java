package dev.berth.workflows.pool;

import java.time.Instant;
import java.time.ZoneId;

/**
 * How many idle workers the pool keeps between two times.
 *
 * @param target idle workers
 * @param exchange whose session it is, or whose session comes next
 * @param zone of the exchange
 * @param reason for the target, as a sentence; dates and times in it are the exchange's
 */
public record PoolStep(Instant from, Instant until, int target, String exchange, ZoneId zone, String reason) {}
