package dev.berth.acceptance.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.berth.acceptance.Stack;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What became of every order that was accepted: by Berth's word, and by the venue's own record. */
final class OrderAudit {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    /** The venue booked it, whether or not its answer arrived. */
    private static final Set<String> BOOKED = Set.of("accepted", "answerDropped");

    private final Stack stack;
    private final Map<String, Integer> inBook = new HashMap<>();
    private final Map<String, Integer> arrived = new HashMap<>();
    private final Map<String, Integer> bookedArrivals = new HashMap<>();
    private final Map<String, String> inTemporal = new HashMap<>();
    private final Map<String, Integer> ends = new TreeMap<>();
    private final List<String> wrong = new ArrayList<>();
    private int accepted;
    private int refused;
    private int repeated;

    OrderAudit(Stack stack) {
        this.stack = stack;
    }

    /** Waits until each is final, then compares. */
    void check(List<OrderFlow> flows) throws IOException, InterruptedException {
        Map<String, JsonNode> finals = new HashMap<>();
        Instant deadline = Instant.now().plus(PATIENCE);
        for (OrderFlow flow : flows) {
            for (String id : flow.accepted()) {
                finals.put(id, awaitFinal(flow.user(), id, deadline));
            }
        }
        readVenue();
        for (OrderFlow flow : flows) {
            readTemporal(flow.user().name());
        }
        for (OrderFlow flow : flows) {
            flow.accepted().forEach(id -> compare(id, finals.getOrDefault(id, MissingNode.getInstance())));
            flow.refused().forEach(this::compareRefused);
        }
    }

    private static JsonNode awaitFinal(BenchUser user, String id, Instant deadline)
            throws IOException, InterruptedException {
        JsonNode order = user.trader().order(id);
        while (!order.hasNonNull("finalAt") && Instant.now().isBefore(deadline)) {
            Thread.sleep(100);
            order = user.trader().order(id);
        }
        return order;
    }

    /** Ids hold the user's name, so they are unique over all accounts. */
    private void readVenue() throws IOException, InterruptedException {
        for (JsonNode order :
                stack.venue().call("GET", "/_control/book", null).body().path("orders")) {
            inBook.merge(order.path("client_order_id").asText(), 1, Integer::sum);
        }
        for (JsonNode arrival :
                stack.venue().call("GET", "/_control/arrivals", null).body().path("arrivals")) {
            String id = arrival.path("client_order_id").asText();
            arrived.merge(id, 1, Integer::sum);
            if (BOOKED.contains(arrival.path("verdict").asText())) {
                bookedArrivals.merge(id, 1, Integer::sum);
            }
        }
    }

    /** The status that each of a user's order workflows shows in its search attributes. */
    private void readTemporal(String user) throws IOException, InterruptedException {
        String query = "WorkflowType = 'Order' AND BerthUserId = '" + user + "'";
        for (JsonNode workflow : stack.workflow("list", "--query", query, "--limit", "100000")) {
            String id = workflow.path("execution").path("workflowId").asText();
            String status = workflow.path("searchAttributes")
                    .path("indexedFields")
                    .path("BerthOrderStatus")
                    .path("data")
                    .asText();
            inTemporal.put(
                    id.substring(id.lastIndexOf(':') + 1),
                    new String(Base64.getDecoder().decode(status), StandardCharsets.UTF_8).replace("\"", ""));
        }
    }

    private void compare(String id, JsonNode order) {
        accepted++;
        String status = order.path("status").asText("unknown to Berth");
        ends.merge(status, 1, Integer::sum);
        int booked = inBook.getOrDefault(id, 0);
        if (arrived.getOrDefault(id, 0) > 1) {
            repeated++;
        }
        if (!order.hasNonNull("finalAt")) {
            wrong.add(id + " is not final: " + status);
        } else if (status.equals("FILLED") != (booked == 1)) {
            wrong.add(id + " is " + status + ", and the venue has it " + booked + " times");
        }
        if (!status.equals(inTemporal.get(id))) {
            wrong.add(id + " is " + status + ", and Temporal says " + inTemporal.get(id));
        }
        checkOnce(id, booked);
    }

    private void compareRefused(String id) {
        refused++;
        checkOnce(id, inBook.getOrDefault(id, 0));
    }

    private void checkOnce(String id, int booked) {
        if (booked > 1 || bookedArrivals.getOrDefault(id, 0) > 1) {
            wrong.add(id + " was accepted twice at the venue");
        }
    }

    List<String> wrong() {
        return List.copyOf(wrong);
    }

    boolean isGood() {
        return wrong.isEmpty();
    }

    void print() {
        Table.note(
                "orders: %d accepted, ended as %s; %d refused; %d sent more than once, as far as the venue saw",
                accepted, ends, refused, repeated);
        if (isGood()) {
            Table.note("none lost, none accepted twice at the venue");
        } else {
            Table.note("WRONG, %d times: %s", wrong.size(), wrong);
        }
    }
}
