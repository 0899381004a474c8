/** The local stack: real servers on this machine, and faithful stand-ins for ECS and for a venue. */
@NullMarked
package dev.berth.local;

import org.jspecify.annotations.NullMarked;
