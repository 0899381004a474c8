/**
 * A running local stack: its processes, Redis, SQS and ECS; in the tests also what starts a stack
 * and waits for it.
 */
@NullMarked
package dev.berth.acceptance.stack;

import org.jspecify.annotations.NullMarked;
