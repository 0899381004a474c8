package dev.berth.host.broker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.host.broker.RequestBudget.Purpose;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;

/** Lists all open orders of an account, oldest first, one request a page. */
record AlpacaOpenOrderPages(AlpacaHttp http, AlpacaOpenOrders open, Duration callLimit) {
    /** Alpaca's maximum. */
    static final int PAGE_SIZE = 500;

    /**
     * Corrects what is known of open orders.
     *
     * @param page gets each page, too
     * @return whether something was not known
     */
    boolean list(Purpose purpose, Consumer<JsonNode> page) throws IOException, InterruptedException {
        AlpacaOpenOrders.Listing listing = open.list();
        String after = "";
        while (true) {
            JsonNode orders = http.list(
                    "/v2/orders?limit=" + PAGE_SIZE + "&status=open&direction=asc"
                            + (after.isEmpty() ? "" : "&after=" + URLEncoder.encode(after, StandardCharsets.UTF_8)),
                    purpose,
                    callLimit);
            orders.forEach(listing::add);
            page.accept(orders);
            String last = lastSubmission(orders);
            if (orders.size() < PAGE_SIZE || last.isEmpty() || last.equals(after)) {
                return listing.end();
            }
            after = last;
        }
    }

    /** Empty when no order has the time. */
    private static String lastSubmission(JsonNode page) {
        String last = "";
        for (JsonNode order : page) {
            last = order.path("submitted_at").isTextual()
                    ? order.path("submitted_at").textValue()
                    : last;
        }
        return last;
    }
}
