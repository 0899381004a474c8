package dev.berth.acceptance.verify;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.rest.RestClient;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Reads the venue's book and arrivals. */
record VenueBook(RestClient venue) {

    VenueRecord read() throws IOException, InterruptedException {
        // Reads the arrivals last, so that each booked order has its arrival.
        List<BookedOrder> book = new ArrayList<>();
        for (JsonNode order : list("book", "orders")) {
            book.add(new BookedOrder(
                    order.path("id").asText(),
                    order.path("account").asText(),
                    order.path("client_order_id").asText(),
                    order.path("status").asText(),
                    new BigDecimal(order.path("filled_qty").asText("0"))));
        }
        List<RecordedArrival> arrivals = new ArrayList<>();
        for (JsonNode arrival : list("arrivals", "arrivals")) {
            arrivals.add(new RecordedArrival(
                    arrival.path("account").asText(),
                    arrival.path("client_order_id").asText(),
                    Instant.parse(arrival.path("time").asText()),
                    arrival.hasNonNull("epoch") ? arrival.path("epoch").asLong() : null,
                    arrival.path("verdict").asText()));
        }
        return new VenueRecord(book, arrivals);
    }

    private JsonNode list(String path, String field) throws IOException, InterruptedException {
        RestClient.JsonResponse answer = venue.call("GET", "/_control/" + path, null);
        if (answer.status() != 200) {
            throw new IOException("the venue answers " + answer.status() + " to /_control/" + path);
        }
        return answer.body().path(field);
    }
}
