/** The sweep: its schedule, its metrics and what it talks to. */
@NullMarked
package dev.berth.orchestrator.maintenance;

import org.jspecify.annotations.NullMarked;
