/** Workers over REST, and what ECS tells of them. */
@NullMarked
package dev.berth.api.worker;

import org.jspecify.annotations.NullMarked;
