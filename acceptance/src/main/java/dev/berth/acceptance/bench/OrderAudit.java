package dev.berth.acceptance.bench;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.Stack;
import dev.berth.acceptance.verify.Freeze;
import dev.berth.acceptance.verify.Report;
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
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/** What became of every order that its user was told is accepted; the checker says whether a promise was broken. */
public final class OrderAudit {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    /** All orders are final by then; Temporal's index is a moment late. */
    private static final Duration INDEX = Duration.ofSeconds(30);

    private final Stack stack;
    private final Map<String, Integer> ends = new TreeMap<>();
    private final List<String> wrong = new ArrayList<>();
    private List<OrderFlow> flows = List.of();
    private String report = "";
    private String slowest = "";
    private Duration longest = Duration.ZERO;
    private long repeated;

    public OrderAudit(Stack stack) {
        this.stack = stack;
    }

    /**
     * Cancels what rests, waits until each is final, then lets the checker compare.
     *
     * @param freezes in which lateness and repeats are no breach
     */
    public void check(List<OrderFlow> all, List<Freeze> freezes) throws IOException, InterruptedException {
        flows = List.copyOf(all);
        Instant deadline = Instant.now().plus(PATIENCE);
        for (OrderFlow flow : flows) {
            for (String id : flow.accepted()) {
                ended(id, flow.user().cancelUntilFinal(id, deadline));
            }
        }
        Set<String> users = flows.stream().map(flow -> flow.user().name()).collect(Collectors.toSet());
        Report checked = Verify.of(stack, users, INDEX, freezes);
        report = checked.text();
        wrong.addAll(checked.evidence());
        if (checked.underWay() > 0) {
            wrong.add(checked.underWay() + " orders are still under way");
        }
        if (ends.isEmpty()) {
            wrong.add("no order was accepted, so nothing is proven");
        }
        countRepeated(users);
    }

    /** The checker knows what Berth knows; that the user was told "accepted" is known here alone. */
    private void ended(String id, JsonNode order) {
        String status = order.path("status").asText("unknown to Berth");
        ends.merge(status, 1, Integer::sum);
        if (!order.hasNonNull("finalAt")) {
            wrong.add(id + " is not final: " + status);
        } else if (!status.equals("CANCELED")) {
            // How long an order rested before that is its user's choice.
            took(id + ", " + status, order);
        }
    }

    private void took(String what, JsonNode order) {
        Duration took = Duration.between(time(order, "submittedAt"), time(order, "finalAt"));
        if (took.compareTo(longest) > 0) {
            longest = took;
            slowest = what;
        }
    }

    private static Instant time(JsonNode order, String field) {
        return Instant.parse(order.path(field).asText());
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

    public List<String> wrong() {
        return List.copyOf(wrong);
    }

    public boolean isGood() {
        return wrong.isEmpty();
    }

    /** How many ended so, of those that were accepted. */
    public int ended(String status) {
        return ends.getOrDefault(status, 0);
    }

    private int sum(ToIntFunction<OrderFlow> number) {
        return flows.stream().mapToInt(number).sum();
    }

    public void print() {
        int accepted = sum(flow -> flow.accepted().size());
        int refused = sum(flow -> flow.refused().size());
        int unanswered = sum(flow -> flow.unanswered().size());
        Table.note(
                "orders: %d offered, %d accepted, ended as %s; %d refused, %d without an answer to the end",
                accepted + refused + unanswered, accepted, ends, refused, unanswered);
        Table.note(
                "asked again %d times for want of an answer; %d sent more than once, as far as the venue saw",
                sum(OrderFlow::repeats), repeated);
        Table.note("the longest from submission to its end took %.1f s (%s)", longest.toMillis() / 1000.0, slowest);
        if (isGood()) {
            Table.note("no promise is broken, as ./berth verify looks at them");
        } else {
            Table.note("WRONG, %d times: %s", wrong.size(), wrong);
        }
    }

    /** What the checker looked at, promise by promise. */
    public String report() {
        return report;
    }
}
