/** Sessions with a broker that the customer's own machine reaches. */
@NullMarked
package dev.berth.host.broker.remote;

import org.jspecify.annotations.NullMarked;
