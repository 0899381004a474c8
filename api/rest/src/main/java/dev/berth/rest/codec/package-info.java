/** The endpoint that decodes for people what Temporal stores. */
@NullMarked
package dev.berth.rest.codec;

import org.jspecify.annotations.NullMarked;
