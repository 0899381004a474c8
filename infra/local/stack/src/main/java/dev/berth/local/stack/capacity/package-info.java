/** How many workers fit on a host. */
@NullMarked
package dev.berth.local.stack.capacity;

import org.jspecify.annotations.NullMarked;
