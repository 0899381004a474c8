package dev.berth.acceptance.verify;

import dev.berth.acceptance.Stack;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code ./berth verify}: says of every promise how often it was looked at, and how often it is broken. */
public final class Verify {
    private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

    private final Stack stack;
    private final VerifyOptions options;
    private SecretSearch.@Nullable Searched secrets;

    private Verify(Stack stack, VerifyOptions options) {
        this.stack = stack;
        this.options = options;
    }

    /** Ends with 0: nothing is broken, 1: something is, 2: wrong usage, 3: not all of the stack is reachable. */
    static void main(String[] arguments) throws InterruptedException {
        System.exit(run(Stack.ofEnvironment(), arguments));
    }

    /**
     * What these users' orders show, once they had time to come to rest.
     *
     * @param freezes of the caller's own, in which lateness and repeats are no breach
     * @throws IOException when not all of the stack is reachable
     */
    public static Report of(Stack stack, Set<String> users, Duration patience, List<Freeze> freezes)
            throws IOException, InterruptedException {
        return new Verify(stack, new VerifyOptions(false, patience, users, freezes)).report();
    }

    private static int run(Stack stack, String... arguments) throws InterruptedException {
        VerifyOptions options;
        try {
            options = VerifyOptions.parse(arguments);
        } catch (IllegalArgumentException wrong) {
            System.err.println("berth: " + wrong.getMessage());
            System.err.println("       " + VerifyOptions.USAGE);
            return 2;
        }
        try {
            Report report = new Verify(stack, options).report();
            System.out.println(options.json() ? report.json() : report.text());
            return report.broken() == 0 ? 0 : 1;
        } catch (IOException away) {
            System.err.println("berth: not all of the stack is reachable: " + away);
            System.err.println("       Locally: ./berth up");
            return 3;
        }
    }

    /** As soon as all is as it should be, or when patience is over. */
    private Report report() throws IOException, InterruptedException {
        Instant end = Instant.now().plus(options.patience());
        try (Histories temporal = Histories.of(stack)) {
            Report report = Report.of(evidence(temporal));
            while (!report.isQuiet() && Instant.now().isBefore(end)) {
                Thread.sleep(LOOK_AGAIN);
                report = Report.of(evidence(temporal));
            }
            return report;
        }
    }

    private Evidence evidence(Histories temporal) throws IOException, InterruptedException {
        Instant at = Instant.now();
        List<BerthOrder> orders = ReadModel.of(stack).orders();
        VenueRecord venue = new VenueBook(stack.venue()).read();
        // Only of what was sent more than once do the histories decide anything.
        Set<String> repeated = venue.submissions().entrySet().stream()
                .filter(sent -> sent.getValue().size() > 1)
                .map(sent -> VenueRecord.orderOf(sent.getKey()).clientOrderId())
                .collect(Collectors.toSet());
        Map<OrderId, OrderWorkflow> workflows = temporal.orders(id -> repeated.contains(id.clientOrderId()));
        Set<String> users = options.users().isEmpty()
                ? orders.stream().map(order -> order.id().user()).collect(Collectors.toSet())
                : options.users();
        Evidence all = new Evidence(at, orders, workflows, venue, secrets(users), options.freezes());
        return options.users().isEmpty() ? all : all.about(users);
    }

    /** Once: logs are long, and waiting does not take a secret out of them. */
    private SecretSearch.Searched secrets(Set<String> users) throws IOException, InterruptedException {
        SecretSearch.Searched known = secrets;
        if (known == null) {
            known = new SecretSearch(users)
                    .files(stack.home().resolve("log"))
                    .texts(new TaskOverrides(stack.ecs()).all())
                    .searched();
            secrets = known;
        }
        return known;
    }
}
