/** Keys of what Temporal stores, and the endpoint that decodes it for people. */
@NullMarked
package dev.berth.rest.codec;

import org.jspecify.annotations.NullMarked;
