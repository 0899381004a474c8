package dev.berth.acceptance.verify;

import dev.berth.acceptance.rest.RestClient;
import dev.berth.acceptance.stack.VenueLog;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;

/** Reads the venue's book and arrivals. */
record VenueBook(RestClient venue) {

    VenueRecord read() throws IOException, InterruptedException {
        VenueLog log = new VenueLog(venue);
        // Reads the arrivals last, so that each booked order has its arrival.
        List<VenueLog.Order> book = log.orders();
        return new VenueRecord(
                book.stream().map(VenueBook::booked).toList(),
                log.arrivals().stream().map(VenueBook::recorded).toList(),
                VenueHoldings.of(book));
    }

    private static BookedOrder booked(VenueLog.Order order) {
        return new BookedOrder(
                order.id(),
                order.account(),
                order.clientOrderId(),
                order.status(),
                Objects.requireNonNullElse(order.filledQty(), BigDecimal.ZERO));
    }

    private static RecordedArrival recorded(VenueLog.Arrival arrival) {
        return new RecordedArrival(
                Objects.requireNonNullElse(arrival.account(), ""),
                Objects.requireNonNullElse(arrival.clientOrderId(), ""),
                arrival.time(),
                arrival.epoch(),
                arrival.verdict());
    }
}
