/**
 * {@code ./berth verify}: reads Temporal's histories, PostgreSQL and the venue's book and arrivals,
 * and says which promise is broken, and by what. One class a promise; what they look at is gathered
 * first, so that each can be tried on evidence made by hand.
 */
@NullMarked
package dev.berth.acceptance.verify;

import org.jspecify.annotations.NullMarked;
