/** Sessions with brokers that know orders by ids of their own alone. */
@NullMarked
package dev.berth.host.broker.venueid;

import org.jspecify.annotations.NullMarked;
