/** The sweep: its schedule, its metrics and what it talks to. */
@NullMarked
package dev.berth.api.maintenance;

import org.jspecify.annotations.NullMarked;
