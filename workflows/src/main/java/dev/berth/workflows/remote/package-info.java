/** Calls of a broker that is reached from the customer's own machine. */
@NullMarked
package dev.berth.workflows.remote;

import org.jspecify.annotations.NullMarked;
