package dev.berth.host.broker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.workflows.Json;
import dev.berth.workflows.account.AccountOrder;
import dev.berth.workflows.account.AccountReport;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T2")
class AlpacaOpenOrdersTest {
    private final AlpacaOpenOrders open = new AlpacaOpenOrders();

    @BeforeEach
    void listNone() {
        assertThat(open.newest()).as("before the first list").isNull();
        assertThat(open.list().end()).as("the first list is news").isTrue();
    }

    private static JsonNode order(String id, String status) {
        return order(id, status, "2026-03-02T12:00:00Z");
    }

    private static JsonNode order(String id, String status, String submittedAt) {
        return Json.tree("""
                {"id": "%s", "client_order_id": "c-%s", "symbol": "AAPL", "side": "buy", "type": "limit",
                 "time_in_force": "day", "qty": "1", "status": "%s", "submitted_at": "%s"}""".formatted(id, id, status, submittedAt));
    }

    private List<String> ids() {
        return Objects.requireNonNull(open.newest()).stream()
                .map(AccountOrder::venueOrderId)
                .toList();
    }

    @DisplayName("An order is open from its first report to its end, and a replaced one is over")
    @Test
    void streamIsFollowed() {
        open.update(order("1", "new"));
        open.update(order("2", "accepted"));
        open.update(order("3", "partially_filled"));
        open.update(order("1", "canceled"));
        open.update(order("2", "replaced"));
        assertThat(ids()).containsExactly("3");
    }

    @DisplayName("A list brings what the stream missed, and takes what is over")
    @Test
    void listCorrects() {
        open.update(order("1", "new"));
        AlpacaOpenOrders.Listing listing = open.list();
        listing.add(order("2", "new"));
        assertThat(listing.end()).isTrue();
        assertThat(ids()).containsExactly("2");

        AlpacaOpenOrders.Listing same = open.list();
        same.add(order("2", "new"));
        assertThat(same.end()).as("nothing is new").isFalse();
    }

    @DisplayName("What the stream reports while a list is under way is newer than the list")
    @Test
    void streamBeatsEarlierList() {
        open.update(order("1", "new"));
        AlpacaOpenOrders.Listing listing = open.list();
        open.update(order("1", "filled"));
        open.update(order("2", "new"));
        listing.add(order("1", "new"));
        assertThat(listing.end()).isFalse();
        assertThat(ids()).containsExactly("2");
    }

    @DisplayName("What is no order is passed over, and a report holds the newest")
    @Test
    void reportHoldsTheNewest() {
        open.update(Json.tree("{\"id\": 7}"));
        for (int i = 0; i < AccountReport.MAX_ORDERS + 10; i++) {
            open.update(order(
                    "o" + i,
                    "new",
                    Instant.parse("2026-03-02T12:00:00Z").plusSeconds(i).toString()));
        }
        assertThat(ids()).hasSize(AccountReport.MAX_ORDERS).startsWith("o409").doesNotContain("o9");
    }
}
