package dev.berth.acceptance.demo;

import static dev.berth.acceptance.demo.Demo.say;

import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.VenueLog;
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
    private final Map<String, PlacedOrder> orders = new LinkedHashMap<>();
    private final List<DemoAccount> accounts = new ArrayList<>();
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
        for (DemoUser user : users) {
            DemoAccount account = DemoAccount.of(stack, user.trader());
            accounts.add(account);
            account.difference().ifPresent(wrong::add);
        }
    }

    void print() {
        say(
                "%n%-7s %-8s %-6s %10s %12s   %-18s %s",
                "user", "process", "from", "ACTIVE ms", "1st order ms", "order", "state, fills");
        for (DemoUser user : users) {
            Worker worker = user.firstWorker();
            String head = "%-7s %-8s %-6s %10s %12s"
                    .formatted(
                            user.trader().user(),
                            worker.pid(),
                            String.valueOf(worker.origin()).toLowerCase(Locale.ROOT),
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
                kill.pid(), kill.next().pid(), kill.next().epoch(), kill.millisToNextWorker());
        say(
                "the order was %s at the venue, once, %d ms after the kill.",
                kill.order().attempts() == 1 ? "found" : "sent again, since it had not arrived,",
                kill.millisToAnswer());
        say("%n%-7s %14s %14s   %s", "account", "cash", "at the venue", "positions here and at the venue");
        accounts.forEach(account -> say("%s", account.line()));
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
        Map<String, VenueLog.Order> accepted = new LinkedHashMap<>();
        Map<String, Integer> copies = new LinkedHashMap<>();
        for (VenueLog.Order entry : VenueLog.of(stack).orders()) {
            accepted.put(entry.clientOrderId(), entry);
            copies.merge(entry.clientOrderId(), 1, Integer::sum);
        }
        orders.forEach((id, order) -> {
            finals += order.finalAt() != null ? 1 : 0;
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
    private boolean agrees(String id, PlacedOrder order, VenueLog.@Nullable Order entry) {
        boolean same = entry == null
                ? order.isIn("REJECTED")
                : entry.status().equalsIgnoreCase(order.status())
                        && entry.filled().compareTo(new BigDecimal(order.filledQuantity())) == 0;
        if (!same) {
            wrong.add(id + " was told as " + order + " but the venue has " + entry);
        }
        return same;
    }

    private void expect(String id, String status) {
        PlacedOrder order = orders.get(id);
        if (order == null || !order.isIn(status)) {
            wrong.add(id + " should be " + status + " but is " + order);
        }
    }

    private static String startMillis(Worker worker) {
        Instant asked = worker.requestedAt();
        return asked == null
                ? ""
                : Long.toString(Duration.between(asked, worker.since()).toMillis());
    }

    private static String line(PlacedOrder order) {
        String price = order.averagePrice() == null ? "" : " at " + order.averagePrice();
        String reason = order.reason() == null ? "" : "  " + order.reason();
        return "%-9s %s of %s%s%s".formatted(order.status(), order.filledQuantity(), order.quantity(), price, reason);
    }
}
