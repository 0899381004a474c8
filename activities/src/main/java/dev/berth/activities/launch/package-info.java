/** Launches workers' tasks, behind ports that another launcher than ECS may take. */
@NullMarked
package dev.berth.activities.launch;

import org.jspecify.annotations.NullMarked;
