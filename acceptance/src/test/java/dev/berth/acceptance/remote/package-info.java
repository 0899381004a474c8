/** Brokers on a customer's own machine. */
@NullMarked
package dev.berth.acceptance.remote;

import org.jspecify.annotations.NullMarked;
