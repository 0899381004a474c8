/** A user's accounts at brokers, over REST. */
@NullMarked
package dev.berth.rest.account;

import org.jspecify.annotations.NullMarked;
