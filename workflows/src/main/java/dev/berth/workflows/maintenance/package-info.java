/** The sweep: finds where reality drifted from what is believed, and tells the owner. */
@NullMarked
package dev.berth.workflows.maintenance;

import org.jspecify.annotations.NullMarked;
