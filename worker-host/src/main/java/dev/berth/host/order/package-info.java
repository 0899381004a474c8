/** Orders in this process's hands. */
@NullMarked
package dev.berth.host.order;

import org.jspecify.annotations.NullMarked;
