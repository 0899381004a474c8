package dev.berth.acceptance.demo;

import static dev.berth.acceptance.demo.Demo.say;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.stack.Stack;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What happened, and whether the venue's book agrees with what the users were told. */
final class DemoReport {
    private final Stack stack;
    private final List<DemoUser> users;
    private final DemoKill kill;
    private final Map<String, JsonNode> orders = new LinkedHashMap<>();
    private final List<String> wrong = new ArrayList<>();
    private long finals;
    private long lost;
    private long twice;

    DemoReport(Stack stack, List<DemoUser> users, DemoKill kill) throws IOException, InterruptedException {
        this.stack = stack;
        this.users = users;
        this.kill = kill;
        for (DemoUser user : users) {
            for (String order : user.orders()) {
                orders.put(order, user.trader().order(order));
            }
        }
        compare();
    }

    void print() {
        say(
                "%n%-7s %-8s %-6s %10s %12s   %-18s %s",
                "user", "process", "from", "ACTIVE ms", "1st order ms", "order", "state, fills");
        for (DemoUser user : users) {
            JsonNode worker = user.firstWorker();
            String head = "%-7s %-8s %-6s %10s %12s"
                    .formatted(
                            user.trader().user(),
                            worker.path("pid").asText(),
                            worker.path("origin").asText().toLowerCase(Locale.ROOT),
                            startMillis(worker),
                            user.firstAnswerMillis());
            for (String order : user.orders()) {
                say(
                        "%-47s   %-18s %s",
                        head,
                        order.substring(order.lastIndexOf('-') + 1),
                        line(Objects.requireNonNull(orders.get(order))));
                head = "";
            }
        }
        say(
                "%nbob's process %d was killed with his order in hand. Process %s (epoch %s) was ACTIVE %d ms later;",
                kill.pid(),
                kill.next().path("pid").asText(),
                kill.next().path("epoch").asText(),
                kill.millisToNextWorker());
        say(
                "the order was %s at the venue, once, %d ms after the kill.",
                kill.order().path("attempts").asInt() == 1 ? "found" : "sent again, since it had not arrived,",
                kill.millisToAnswer());
        say("%n%d orders, %d final, %d lost, %d sent twice", orders.size(), finals, lost, twice);
        wrong.forEach(line -> say("  wrong: %s", line));
        say("%nWeb UI, one page an order:");
        orders.keySet()
                .forEach(
                        order -> say("  %s/order:%s:%s", stack.webUi(), order.substring(0, order.indexOf('-')), order));
        say("All workflows: %s%nSwagger UI:    %s", stack.webUi(), stack.swagger());
    }

    boolean isGood() {
        return wrong.isEmpty() && lost == 0 && twice == 0 && finals == orders.size();
    }

    /** The venue's book against the read model, order by order. */
    private void compare() throws IOException, InterruptedException {
        JsonNode book = stack.venue().call("GET", "/_control/book", null).body().path("orders");
        Map<String, JsonNode> accepted = new LinkedHashMap<>();
        Map<String, Integer> copies = new LinkedHashMap<>();
        book.forEach(entry -> {
            accepted.put(entry.path("client_order_id").asText(), entry);
            copies.merge(entry.path("client_order_id").asText(), 1, Integer::sum);
        });
        orders.forEach((id, order) -> {
            finals += order.path("finalAt").isTextual() ? 1 : 0;
            twice += copies.getOrDefault(id, 0) > 1 ? 1 : 0;
            lost += agrees(id, order, accepted.get(id)) ? 0 : 1;
        });
        users.forEach(user -> {
            expect(user.id("market"), "FILLED");
            expect(user.id("limit"), "CANCELED");
            expect(user.id("refused"), "REJECTED");
        });
        expect(kill.orderId(), "FILLED");
    }

    /**
     * A refused order is in no book; every other one is, in the same state and with the same fills.
     */
    private boolean agrees(String id, JsonNode order, @Nullable JsonNode entry) {
        String status = order.path("status").asText();
        boolean same = entry == null
                ? status.equals("REJECTED")
                : entry.path("status").asText().equalsIgnoreCase(status)
                        && filled(entry)
                                        .compareTo(new BigDecimal(
                                                order.path("filledQuantity").asText()))
                                == 0;
        if (!same) {
            wrong.add(id + " was told as " + order + " but the venue has " + entry);
        }
        return same;
    }

    private static BigDecimal filled(JsonNode entry) {
        BigDecimal sum = BigDecimal.ZERO;
        for (JsonNode fill : entry.path("fills")) {
            sum = sum.add(new BigDecimal(fill.path("qty").asText()));
        }
        return sum;
    }

    private void expect(String id, String status) {
        JsonNode order = orders.get(id);
        if (order == null || !order.path("status").asText().equals(status)) {
            wrong.add(id + " should be " + status + " but is " + order);
        }
    }

    private static String startMillis(JsonNode worker) {
        if (!worker.path("requestedAt").isTextual()) {
            return "";
        }
        Instant asked = Instant.parse(worker.path("requestedAt").asText());
        return Long.toString(
                Duration.between(asked, Instant.parse(worker.path("since").asText()))
                        .toMillis());
    }

    private static String line(JsonNode order) {
        String price = order.path("averagePrice").isTextual()
                ? " at " + order.path("averagePrice").asText()
                : "";
        String reason =
                order.path("reason").isTextual() ? "  " + order.path("reason").asText() : "";
        return "%-9s %s of %s%s%s"
                .formatted(
                        order.path("status").asText(),
                        order.path("filledQuantity").asText(),
                        order.path("quantity").asText(),
                        price,
                        reason);
    }
}
