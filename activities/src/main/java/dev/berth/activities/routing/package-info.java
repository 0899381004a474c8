/** Who holds a customer's connection, and calls to the replica that holds it. */
@NullMarked
package dev.berth.activities.routing;

import org.jspecify.annotations.NullMarked;
