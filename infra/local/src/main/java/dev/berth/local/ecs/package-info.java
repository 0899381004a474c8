/**
 * Local ECS: speaks the Amazon ECS JSON protocol and runs every task as a real process of this machine. Test equipment.
 *
 * <p>A request comes in at {@link dev.berth.local.ecs.Wire}, the subject's class answers it, {@link
 * dev.berth.local.ecs.Ledger} keeps what is true, and {@link dev.berth.local.ecs.Agent} owns the processes.
 */
@NullMarked
package dev.berth.local.ecs;

import org.jspecify.annotations.NullMarked;
