/** Workers as Redis and ECS know them. */
@NullMarked
package dev.berth.activities.worker;

import org.jspecify.annotations.NullMarked;
