/** Orders over REST. */
@NullMarked
package dev.berth.rest.order;

import org.jspecify.annotations.NullMarked;
