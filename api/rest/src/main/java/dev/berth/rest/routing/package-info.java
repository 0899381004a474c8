/** This process as one of several replicas: its id, its entry, its inbox, its streams. */
@NullMarked
package dev.berth.rest.routing;

import org.jspecify.annotations.NullMarked;
