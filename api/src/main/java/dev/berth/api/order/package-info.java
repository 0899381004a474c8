/** Orders over REST. */
@NullMarked
package dev.berth.api.order;

import org.jspecify.annotations.NullMarked;
