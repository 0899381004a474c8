/** Tells users' own servers what became of their orders. */
@NullMarked
package dev.berth.workflows.webhook;

import org.jspecify.annotations.NullMarked;
