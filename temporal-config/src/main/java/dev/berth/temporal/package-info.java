/** How every process of Berth talks to Temporal. */
@NullMarked
package dev.berth.temporal;

import org.jspecify.annotations.NullMarked;
