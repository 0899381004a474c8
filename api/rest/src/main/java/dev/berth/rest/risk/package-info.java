/** Kill switches, limits and quotes: over REST, and on their way into Redis. */
@NullMarked
package dev.berth.rest.risk;

import org.jspecify.annotations.NullMarked;
