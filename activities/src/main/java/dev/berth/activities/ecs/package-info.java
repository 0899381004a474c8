/** ECS behind the ports of {@link dev.berth.activities.launch}. */
@NullMarked
package dev.berth.activities.ecs;

import org.jspecify.annotations.NullMarked;
