/** Workers over REST. */
@NullMarked
package dev.berth.rest.worker;

import org.jspecify.annotations.NullMarked;
