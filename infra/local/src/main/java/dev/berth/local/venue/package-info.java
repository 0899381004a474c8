/**
 * The paper venue: a stand-in for the Alpaca broker, with its book on disk and faults on demand.
 *
 * <p>Reading order: {@link dev.berth.local.venue.PaperVenue} (the doors), {@link
 * dev.berth.local.venue.Exchange} (what can be done), {@link dev.berth.local.venue.Matching} (the
 * rules), {@link dev.berth.local.venue.Ledger} (one lock, one order of events), {@link
 * dev.berth.local.venue.Book} (the state) and {@link dev.berth.local.venue.Journal} (the file). Nothing here expires by itself: the venue never
 * closes.
 */
@NullMarked
package dev.berth.local.venue;

import org.jspecify.annotations.NullMarked;
