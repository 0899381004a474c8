/** The local stack: real servers on this machine, local ECS and the paper venue. */
@NullMarked
package dev.berth.local.stack;

import org.jspecify.annotations.NullMarked;
