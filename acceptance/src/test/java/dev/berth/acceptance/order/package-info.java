/** The life of an order, its lists and events, and orders that failed. */
@NullMarked
package dev.berth.acceptance.order;

import org.jspecify.annotations.NullMarked;
