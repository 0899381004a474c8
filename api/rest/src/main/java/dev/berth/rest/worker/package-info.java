/** Workers over REST, and what ECS tells of them. */
@NullMarked
package dev.berth.rest.worker;

import org.jspecify.annotations.NullMarked;
