/** The fleet over REST, for operators. */
@NullMarked
package dev.berth.rest.fleet;

import org.jspecify.annotations.NullMarked;
