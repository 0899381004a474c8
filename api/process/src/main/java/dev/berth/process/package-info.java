/** Settings, connections and adapters that the roles share. */
@NullMarked
package dev.berth.process;

import org.jspecify.annotations.NullMarked;
