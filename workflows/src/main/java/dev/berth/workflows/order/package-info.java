/** The life of an order, from acceptance to its final state. */
@NullMarked
package dev.berth.workflows.order;

import org.jspecify.annotations.NullMarked;
