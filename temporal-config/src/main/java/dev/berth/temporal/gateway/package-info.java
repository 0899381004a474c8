/** What a worker and its gateway say to each other, beside Temporal's own gRPC. */
@NullMarked
package dev.berth.temporal.gateway;

import org.jspecify.annotations.NullMarked;
