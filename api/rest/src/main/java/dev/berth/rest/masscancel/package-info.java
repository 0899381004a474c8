/** Cancels everything at once, over REST, and what Berth does for that itself. */
@NullMarked
package dev.berth.rest.masscancel;

import org.jspecify.annotations.NullMarked;
