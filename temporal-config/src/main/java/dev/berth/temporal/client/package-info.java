/** Workflows as other parts of the control plane list, start, signal and query them. */
@NullMarked
package dev.berth.temporal.client;

import org.jspecify.annotations.NullMarked;
