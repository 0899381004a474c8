/** Seals a broker's credentials to one worker process. */
@NullMarked
package dev.berth.temporal.broker;

import org.jspecify.annotations.NullMarked;
