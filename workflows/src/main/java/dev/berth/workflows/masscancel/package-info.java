/**
 * Cancels everything at once (FIX OrderMassCancelRequest): a user's orders that match a filter, or
 * the orders that a kill switch stops.
 */
@NullMarked
package dev.berth.workflows.masscancel;

import org.jspecify.annotations.NullMarked;
