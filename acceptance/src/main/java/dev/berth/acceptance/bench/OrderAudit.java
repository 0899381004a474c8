package dev.berth.acceptance.bench;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.Stack;
import dev.berth.acceptance.verify.Verify;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What became of every order that its user was told is accepted; the checker says whether a promise was broken. */
final class OrderAudit {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    /** All orders are final by then; Temporal's index is a moment late. */
    private static final Duration INDEX = Duration.ofSeconds(30);

    private final Stack stack;
    private final Map<String, Integer> ends = new TreeMap<>();
    private final List<String> wrong = new ArrayList<>();
    private int accepted;
    private int refused;
    private long repeated;

    OrderAudit(Stack stack) {
        this.stack = stack;
    }

    /** Waits until each is final, then lets the checker compare. */
    void check(List<OrderFlow> flows) throws IOException, InterruptedException {
        Instant deadline = Instant.now().plus(PATIENCE);
        for (OrderFlow flow : flows) {
            refused += flow.refused().size();
            for (String id : flow.accepted()) {
                ended(id, flow.user().awaitFinal(id, deadline));
            }
        }
        Set<String> users = flows.stream().map(flow -> flow.user().name()).collect(Collectors.toSet());
        wrong.addAll(Verify.broken(stack, users, INDEX));
        countRepeated(users);
    }

    /** The checker knows what Berth knows; that the user was told "accepted" is known here alone. */
    private void ended(String id, JsonNode order) {
        accepted++;
        String status = order.path("status").asText("unknown to Berth");
        ends.merge(status, 1, Integer::sum);
        if (!order.hasNonNull("finalAt")) {
            wrong.add(id + " is not final: " + status);
        }
    }

    /** Ids hold the user's name, so they are unique over all accounts. */
    private void countRepeated(Set<String> users) throws IOException, InterruptedException {
        Map<String, Integer> arrived = new HashMap<>();
        for (JsonNode arrival :
                stack.venue().call("GET", "/_control/arrivals", null).body().path("arrivals")) {
            if (users.contains(arrival.path("account").asText())) {
                arrived.merge(arrival.path("client_order_id").asText(), 1, Integer::sum);
            }
        }
        repeated = arrived.values().stream().filter(times -> times > 1).count();
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
            Table.note("no promise is broken, as ./berth verify looks at them");
        } else {
            Table.note("WRONG, %d times: %s", wrong.size(), wrong);
        }
    }
}
