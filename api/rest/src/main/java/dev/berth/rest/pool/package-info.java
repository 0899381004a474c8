/** The plan of the pool over REST. */
@NullMarked
package dev.berth.rest.pool;

import org.jspecify.annotations.NullMarked;
