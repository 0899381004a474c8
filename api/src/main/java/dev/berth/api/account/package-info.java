/** A user's accounts at brokers, over REST. */
@NullMarked
package dev.berth.api.account;

import org.jspecify.annotations.NullMarked;
