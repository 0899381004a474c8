/** The fleet over REST, for operators. */
@NullMarked
package dev.berth.api.fleet;

import org.jspecify.annotations.NullMarked;
