package dev.berth.acceptance.bench;

import dev.berth.acceptance.rest.HeldAccount;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.VenueAccounts;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/**
 * Measures orders, claims, and the requests of accounts to their broker: in turn without reads, and
 * while every user, with a resting order, reads the account once a second.
 */
final class ReadLoad {
    private static final Goal NOT_SLOWER = Goal.median(1.15);
    private static final int WORKERS_PER_HOST = 25;
    /** Users who start at once. */
    private static final int GROUP = 10;

    private static final int WARM_UP = 300;
    private static final int ORDERS = 100;
    private static final int CLAIMS = 5;
    private static final int ANSWER_SECONDS = 90;
    /** Far below the market. */
    private static final String RESTING_PRICE = "95";

    private static final List<String> READS = List.of("positions", "balances", "orders");
    /** More than the minute of the venue's request limit. */
    private static final Duration TURN = Duration.ofSeconds(65);

    private final Stack stack;
    private final VenueAccounts accounts;
    private final List<Turn> quiet = new ArrayList<>();
    private final List<Turn> read = new ArrayList<>();
    private final Measurements answered = new Measurements();
    private final Map<Integer, Integer> answers = new ConcurrentSkipListMap<>();

    private List<BenchUser> users = List.of();
    private boolean isKept;
    private volatile boolean isReading;

    ReadLoad(Stack stack) {
        this.stack = stack;
        this.accounts = VenueAccounts.of(stack);
    }

    /** One turn. */
    private record Turn(Measurements orders, Measurements claims, Measurements requests) {}

    void measure(int number, int rounds) throws IOException, InterruptedException, ExecutionException {
        LocalEcsControl ecs = new LocalEcsControl(stack);
        ecs.hosts(number / WORKERS_PER_HOST + 1);
        users = BenchUser.fresh(stack, number);
        try {
            rest();
            turn(WARM_UP, true);
            for (int round = 0; round < rounds; round++) {
                boolean readsFirst = round % 2 == 1;
                for (boolean reads : List.of(readsFirst, !readsFirst)) {
                    (reads ? read : quiet).add(turn(ORDERS, reads));
                }
            }
            isKept = users.size() == resting();
        } finally {
            // An open order would bring its worker back.
            for (BenchUser user : users) {
                user.trader().cancelAll("end", "{}", ANSWER_SECONDS);
            }
            BenchUser.stop(users);
            ecs.usualHosts();
        }
    }

    private void rest() throws IOException, InterruptedException {
        for (int from = 0; from < users.size(); from += GROUP) {
            List<BenchUser> group = users.subList(from, Math.min(users.size(), from + GROUP));
            for (BenchUser user : group) {
                user.start();
            }
            for (BenchUser user : group) {
                user.trader().submit(OrderBody.limit("rests", "AAPL", "buy", "1", RESTING_PRICE), ANSWER_SECONDS);
            }
        }
        if (resting() < users.size()) {
            throw new IllegalStateException(resting() + " of " + users.size() + " orders rest");
        }
    }

    private int resting() throws IOException, InterruptedException {
        int resting = 0;
        for (BenchUser user : users) {
            resting += user.trader().order("rests").isIn("NEW") ? 1 : 0;
        }
        return resting;
    }

    private Turn turn(int orders, boolean reads) throws IOException, InterruptedException, ExecutionException {
        Instant end = Instant.now().plus(TURN);
        isReading = reads;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> readers = new ArrayList<>();
            for (int place = 0; reads && place < users.size(); place++) {
                HeldAccount account = new HeldAccount(users.get(place).trader());
                long offset = 1_000L * place / users.size();
                readers.add(threads.submit(() -> readEverySecond(account, offset)));
            }
            try {
                Measurements times = orders(orders);
                WorkerStarts claims = new WorkerStarts(stack, true);
                claims.measure(CLAIMS);
                Thread.sleep(Math.max(0, Duration.between(Instant.now(), end).toMillis()));
                return new Turn(times, claims.times(), requests());
            } finally {
                isReading = false;
                for (Future<?> reader : readers) {
                    reader.get();
                }
            }
        }
    }

    private boolean readEverySecond(HeldAccount account, long offset) throws IOException, InterruptedException {
        Thread.sleep(offset);
        for (int number = 0; isReading; number++) {
            Instant begin = Instant.now();
            int status = account.get(READS.get(number % READS.size())).status();
            double millis = OrderLatency.millis(begin, Instant.now());
            answered.add(millis);
            answers.merge(status, 1, Integer::sum);
            Thread.sleep((long) Math.max(0, 1_000 - millis));
        }
        return true;
    }

    /** From accepted to at the venue. */
    private Measurements orders(int number) throws IOException, InterruptedException {
        Map<String, Instant> accepted = new HashMap<>();
        BenchUser user = users.getFirst();
        for (int order = 0; order < number; order++) {
            String id = "bench-" + UUID.randomUUID();
            OrderBody body = OrderBody.market(id, "SPY", order % 2 == 0 ? "buy" : "sell", "1");
            accepted.put(
                    id,
                    user.trader()
                            .submit(body, ANSWER_SECONDS)
                            .as(PlacedOrder.class)
                            .submittedAt());
        }
        Measurements times = new Measurements();
        OrderLatency.arrivals(stack).forEach((id, arrived) -> {
            Instant from = accepted.get(id);
            if (from != null) {
                times.add(OrderLatency.millis(from, arrived));
            }
        });
        return times;
    }

    /** Of each account in the last minute; the first user's are those of orders. */
    private Measurements requests() throws IOException, InterruptedException {
        Measurements requests = new Measurements();
        for (BenchUser user : users.subList(1, users.size())) {
            requests.add(accounts.requestsOfMinute(user.trader()));
        }
        return requests;
    }

    /** Whether every read had an answer, and every resting order still rests. */
    boolean isGood() {
        return isKept && answers.keySet().equals(Set.of(200));
    }

    /** All turns of a kind, and the ratio of the two of each round. */
    private void print(String what, Function<Turn, Measurements> part) {
        Measurements ratios = new Measurements();
        for (int round = 0; round < read.size(); round++) {
            ratios.add(part.apply(read.get(round)).median()
                    / part.apply(quiet.get(round)).median());
        }
        Measurements alone = all(quiet, part);
        ResultTable.row(what, alone, Goal.NONE);
        ResultTable.row("  while every account is read", all(read, part), Goal.NONE);
        ResultTable.row("  to without reads", Unit.RATIO, ratios, NOT_SLOWER);
        Measurements medians = new Measurements();
        quiet.forEach(turn -> medians.add(part.apply(turn).median() / alone.median()));
        ResultTable.note(
                "without reads, the medians of the turns are %.2f to %.2f of that of all",
                medians.quantile(0), medians.quantile(1));
    }

    private static Measurements all(List<Turn> turns, Function<Turn, Measurements> part) {
        Measurements all = new Measurements();
        turns.forEach(turn -> all.addAll(part.apply(turn)));
        return all;
    }

    void print() {
        print("order, accepted to at the venue", Turn::orders);
        print("worker (claim), asked for to ACTIVE", Turn::claims);
        ResultTable.row("requests of an account in a minute", Unit.COUNT, all(quiet, Turn::requests), Goal.NONE);
        ResultTable.row("  while each is read", Unit.COUNT, all(read, Turn::requests), Goal.NONE);
        ResultTable.row("read of an account, sent to answered", answered, Goal.NONE);
        ResultTable.note("%d users, each with a resting order and a read a second; answers %s", users.size(), answers);
    }
}
