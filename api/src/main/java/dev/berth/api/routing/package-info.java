/** This process as one of several replicas: its mark and its inbox. */
@NullMarked
package dev.berth.api.routing;

import org.jspecify.annotations.NullMarked;
