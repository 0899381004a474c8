/** This process as one of several replicas: its id, its mark, its inbox and the streams that it holds. */
@NullMarked
package dev.berth.api.routing;

import org.jspecify.annotations.NullMarked;
