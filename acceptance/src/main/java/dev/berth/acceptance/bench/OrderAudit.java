package dev.berth.acceptance.bench;

import dev.berth.acceptance.rest.LocalAccount;
import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.VenueLog;
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
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Checks every order that was accepted. */
public final class OrderAudit {
    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    /** The time for Temporal's visibility, which is eventually consistent. */
    private static final Duration VISIBILITY = Duration.ofSeconds(30);

    private final Stack stack;
    private final Map<String, Integer> finalStatuses = new TreeMap<>();
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
     * Cancels resting orders, waits until all are final, and runs the checker.
     *
     * @param freezes in which lateness and repeats are no breach
     */
    public void check(List<OrderFlow> all, List<Freeze> freezes) throws IOException, InterruptedException {
        flows = List.copyOf(all);
        Instant deadline = Instant.now().plus(TIMEOUT);
        for (OrderFlow flow : flows) {
            for (String id : flow.accepted()) {
                ended(id, flow.user().cancelUntilFinal(id, deadline));
            }
        }
        Set<String> users = flows.stream().map(flow -> flow.user().name()).collect(Collectors.toSet());
        Report checked = Verify.of(stack, users, VISIBILITY, freezes);
        report = checked.text();
        wrong.addAll(checked.evidence());
        if (checked.underWay() > 0) {
            wrong.add(checked.underWay() + " orders are still under way");
        }
        if (finalStatuses.isEmpty()) {
            wrong.add("no order was accepted, so nothing is proven");
        }
        countRepeated(users);
    }

    /** Only this class knows that the user got an acceptance. */
    private void ended(String id, PlacedOrder order) {
        String status = Objects.requireNonNullElse(order.status(), "unknown to Berth");
        finalStatuses.merge(status, 1, Integer::sum);
        if (order.finalAt() == null) {
            wrong.add(id + " is not final: " + status);
        } else if (!status.equals("CANCELED")) {
            // The user decides how long a resting order waits for its cancel.
            recordDuration(id + ", " + status, order);
        }
    }

    private void recordDuration(String what, PlacedOrder order) {
        Duration duration = Duration.between(order.submittedAt(), order.finalAt());
        if (duration.compareTo(longest) > 0) {
            longest = duration;
            slowest = what;
        }
    }

    /** Order ids hold the user's name, so they are unique over all accounts. */
    private void countRepeated(Set<String> users) throws IOException, InterruptedException {
        Map<String, Integer> arrived = new HashMap<>();
        Set<String> accounts = users.stream()
                .flatMap(user -> LocalAccount.keyIds(user).stream())
                .collect(Collectors.toSet());
        for (VenueLog.Arrival arrival : VenueLog.of(stack).arrivals()) {
            if (accounts.contains(arrival.account())) {
                arrived.merge(arrival.clientOrderId(), 1, Integer::sum);
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

    /** The number of accepted orders with this final status. */
    public int ended(String status) {
        return finalStatuses.getOrDefault(status, 0);
    }

    private int sum(ToIntFunction<OrderFlow> number) {
        return flows.stream().mapToInt(number).sum();
    }

    /** How often each call of the accounts had each HTTP status. */
    private Map<AccountTraffic.Call, Map<Integer, Integer>> accountAnswers() {
        Map<AccountTraffic.Call, Map<Integer, Integer>> all = new TreeMap<>();
        for (OrderFlow flow : flows) {
            flow.accountAnswers()
                    .forEach((call, answers) -> answers.forEach((status, times) ->
                            all.computeIfAbsent(call, _ -> new TreeMap<>()).merge(status, times, Integer::sum)));
        }
        return all;
    }

    /** The kinds of calls of the accounts of which none had a 2xx. */
    public List<String> unserved() {
        Map<AccountTraffic.Call, Map<Integer, Integer>> answers = accountAnswers();
        return Stream.of(AccountTraffic.Call.values())
                .filter(call ->
                        answers.getOrDefault(call, Map.of()).keySet().stream().noneMatch(status -> status / 100 == 2))
                .map(Enum::name)
                .toList();
    }

    public void print() {
        int accepted = sum(flow -> flow.accepted().size());
        int refused = sum(flow -> flow.refused().size());
        int unanswered = sum(flow -> flow.unanswered().size());
        ResultTable.note(
                "orders: %d offered, %d accepted (%d over FIX), ended as %s; %d refused, %d without an answer to the end",
                accepted + refused + unanswered,
                accepted,
                sum(flow -> flow.account() == LocalAccount.FIX ? flow.accepted().size() : 0),
                finalStatuses,
                refused,
                unanswered);
        ResultTable.note(
                "asked again %d times for want of an answer; %d sent more than once, as far as the venue saw",
                sum(OrderFlow::repeats), repeated);
        if (!accountAnswers().isEmpty()) {
            ResultTable.note("calls of the accounts, by HTTP status: %s", accountAnswers());
        }
        ResultTable.note(
                "the longest from submission to its end took %.1f s (%s)", longest.toMillis() / 1000.0, slowest);
        if (isGood()) {
            ResultTable.note("no promise is broken, as ./berth verify looks at them");
        } else {
            ResultTable.note("WRONG, %d times: %s", wrong.size(), wrong);
        }
    }

    /** The checker's report. */
    public String report() {
        return report;
    }
}
