/** How many workers fit on a host. */
@NullMarked
package dev.berth.local.capacity;

import org.jspecify.annotations.NullMarked;
