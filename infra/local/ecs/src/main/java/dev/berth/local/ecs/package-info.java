/**
 * Local ECS: speaks the Amazon ECS JSON protocol and runs every task as a real process of this
 * machine.
 *
 * <p>{@link dev.berth.local.ecs.AwsJsonProtocol} receives a call, the class of the operation
 * handles it, {@link dev.berth.local.ecs.TaskLedger} holds the state, and
 * {@link dev.berth.local.ecs.Agent} owns the processes.
 */
@NullMarked
package dev.berth.local.ecs;

import org.jspecify.annotations.NullMarked;
