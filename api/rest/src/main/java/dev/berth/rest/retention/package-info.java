/** The archive of closed orders over REST. */
@NullMarked
package dev.berth.rest.retention;

import org.jspecify.annotations.NullMarked;
