/** Workflows as other parts of the control plane list, start, signal and query them. */
@NullMarked
package dev.berth.activities.temporal;

import org.jspecify.annotations.NullMarked;
