package dev.berth.acceptance.verify;

import dev.berth.acceptance.stack.Stack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code ./berth verify}: counts the checks and the breaches of every promise. */
public final class Verify {
    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

    private final Stack stack;
    private final VerifyOptions options;
    private SecretSearch.@Nullable Searched secrets;
    private @Nullable AccessRecord access;

    private Verify(Stack stack, VerifyOptions options) {
        this.stack = stack;
        this.options = options;
    }

    /** Ends with 0: no breach, 1: a breach, 2: wrong usage, 3: a server is unreachable. */
    static void main(String[] arguments) throws InterruptedException {
        System.exit(run(Stack.ofEnvironment(), arguments));
    }

    /**
     * Checks the orders of these users after they had time to settle.
     *
     * @param freezes the times in which late and repeated submissions are tolerated
     * @throws IOException when a server is unreachable
     */
    public static Report of(Stack stack, Set<String> users, Duration maxWait, List<Freeze> freezes)
            throws IOException, InterruptedException {
        return new Verify(stack, new VerifyOptions(false, maxWait, users, freezes)).report();
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
        } catch (IOException unavailable) {
            System.err.println("berth: not all of the stack is reachable: " + unavailable);
            System.err.println("       Locally: ./berth up");
            return 3;
        }
    }

    /** Returns when no promise is broken and no order is under way, or after the wait. */
    private Report report() throws IOException, InterruptedException {
        Instant end = Instant.now().plus(options.maxWait());
        if (Files.notExists(stack.home().resolve("codec.key"))) {
            throw new NoSuchFileException(stack.home().toString(), null, "no stack was ever up there");
        }
        try (OrderHistories temporal = OrderHistories.of(stack)) {
            Report report = Report.of(evidence(temporal));
            while (!report.isQuiet() && Instant.now().isBefore(end)) {
                Thread.sleep(POLL_INTERVAL);
                report = Report.of(evidence(temporal));
            }
            return report;
        }
    }

    private Evidence evidence(OrderHistories temporal) throws IOException, InterruptedException {
        Instant at = Instant.now();
        // First: an order that is archived meanwhile is in both.
        List<BerthOrder> orders = ReadModel.of(stack).orders();
        Set<OrderReference> archived = ReadModel.of(stack).archived();
        // Before the venue's: a change between the two makes what is reported older.
        Map<String, AccountHoldings> reported = new ReportedHoldings(stack).read();
        Map<String, RecordedAccount> recorded = new RecordedHoldings(stack).read(reported);
        VenueRecord venue = new VenueBook(stack.venue()).read();
        // Only orders with several submissions need their histories.
        Set<String> repeated = venue.submissions().entrySet().stream()
                .filter(sent -> sent.getValue().size() > 1)
                .map(sent -> VenueRecord.orderOf(sent.getKey()).clientOrderId())
                .collect(Collectors.toSet());
        Map<OrderReference, OrderHistory> workflows = temporal.orders(id -> repeated.contains(id.clientOrderId()));
        Set<String> users = options.users().isEmpty()
                ? orders.stream().map(order -> order.id().user()).collect(Collectors.toSet())
                : options.users();
        Evidence all = new Evidence(
                at,
                orders,
                archived,
                workflows,
                venue,
                secrets(users),
                access(temporal, users),
                reported,
                recorded,
                options.freezes());
        return options.users().isEmpty() ? all : all.about(users);
    }

    /** Reads once: histories are long, and a foreign access does not disappear from them. */
    private AccessRecord access(OrderHistories temporal, Set<String> users) throws IOException, InterruptedException {
        AccessRecord known = access;
        if (known == null) {
            known = new AccessReader(stack, temporal).about(users);
            access = known;
        }
        return known;
    }

    /** Searches once: logs are long, and a secret does not disappear from them. */
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
