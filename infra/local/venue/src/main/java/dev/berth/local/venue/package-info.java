/**
 * The paper venue: a stand-in for the Alpaca broker, and a FIX 4.4 counterparty on the same book,
 * with its book on disk and faults on demand.
 *
 * <p>Reading order: {@link dev.berth.local.venue.PaperVenue} (routes),
 * {@link dev.berth.local.venue.Exchange} (operations), {@link dev.berth.local.venue.Matching}
 * (rules), {@link dev.berth.local.venue.BookLedger} (lock and order of events),
 * {@link dev.berth.local.venue.Book} (state) and {@link dev.berth.local.venue.Journal} (file). The
 * venue never closes, so no order expires by itself. FIX begins at
 * {@link dev.berth.local.venue.FixAcceptor}; {@link dev.berth.local.venue.FixCodes} has its codes.
 */
@NullMarked
package dev.berth.local.venue;

import org.jspecify.annotations.NullMarked;
