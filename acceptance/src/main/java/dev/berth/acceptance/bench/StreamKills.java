package dev.berth.acceptance.bench;

import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.RestClient;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.LocalProcess;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stream.RecordedEvents;
import dev.berth.acceptance.stream.StreamClient;
import java.io.IOException;
import java.net.URI;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Three replicas, one of which is killed every 20 s and started again, while users trade: whether
 * each stream showed every event once and in order.
 */
final class StreamKills {
    private static final int REPLICAS = 3;
    private static final int USERS = 6;
    private static final Duration BETWEEN_KILLS = Duration.ofSeconds(20);
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final Duration PAUSE = Duration.ofMillis(300);

    private final Stack stack;
    private final List<URI> replicas;
    private final List<RestClient> clients;
    private final List<BenchUser> users;
    private final List<StreamClient> streams = new ArrayList<>();
    private final List<String> wrong = new ArrayList<>();
    private Thread restart = new Thread(() -> {});
    private int kills;
    private int orders;
    private long events;

    StreamKills(Stack stack) throws IOException, InterruptedException {
        this.stack = stack;
        int port = stack.port("API", 8080);
        this.replicas = IntStream.range(0, REPLICAS)
                .mapToObj(replica -> URI.create("http://127.0.0.1:" + (port + replica)))
                .toList();
        this.clients = replicas.stream().map(RestClient::new).toList();
        this.users = BenchUser.fresh(stack, USERS);
    }

    void measure(Duration time) throws IOException, InterruptedException, SQLException {
        for (BenchUser user : users) {
            user.start();
        }
        for (int user = 0; user < USERS; user++) {
            users.get(user).awaitActive(1);
            streams.add(
                    new StreamClient(replicas, user, users.get(user).trader().token(), 0));
        }
        Instant end = Instant.now().plus(time);
        Instant nextKill = Instant.now().plus(BETWEEN_KILLS.dividedBy(2));
        while (Instant.now().isBefore(end)) {
            for (BenchUser user : users) {
                submit(user);
            }
            if (!Instant.now().isBefore(nextKill)) {
                nextKill = Instant.now().plus(BETWEEN_KILLS);
                kill(kills++ % REPLICAS);
            }
            Thread.sleep(PAUSE);
        }
        restart.join();
        for (int user = 0; user < USERS; user++) {
            compare(users.get(user), streams.get(user));
        }
        streams.forEach(StreamClient::close);
        BenchUser.stop(users);
    }

    /** At the first replica that answers. The id makes a repeat harmless. */
    private void submit(BenchUser user) throws InterruptedException {
        OrderBody order = OrderBody.market(user.name() + "-" + orders++, "AAPL", orders % 2 == 0 ? "buy" : "sell", "1");
        for (RestClient replica : clients) {
            if (accepts(replica, user.trader(), order)) {
                return;
            }
        }
    }

    private static boolean accepts(RestClient replica, Trader trader, OrderBody order) throws InterruptedException {
        try {
            return new Trader(replica, trader.user(), trader.token())
                            .submit(order, 0)
                            .status()
                    < 500;
        } catch (IOException killed) {
            return false;
        }
    }

    /**
     * Starts it again in the background, as the stack's {@code up} waits for it; on a slow machine
     * the next kill waits, too.
     */
    private void kill(int replica) throws IOException, InterruptedException {
        restart.join();
        LocalProcess process = stack.process(replica == 0 ? "api" : "api-" + (replica + 1));
        ProcessHandle.of(process.pid()).ifPresent(ProcessHandle::destroyForcibly);
        restart = Thread.ofVirtual().start(() -> {
            try {
                stack.berth("up", "--replicas", Integer.toString(REPLICAS));
            } catch (IOException | InterruptedException notUp) {
                wrong.add("replica " + replica + " did not start again: " + notUp.getMessage());
            }
        });
    }

    private void compare(BenchUser user, StreamClient stream) throws IOException, InterruptedException, SQLException {
        Instant deadline = Instant.now().plus(TIMEOUT);
        String open = "/v1/orders?status=PENDING,DISPATCHED,UNKNOWN,NEW,PARTIALLY_FILLED";
        while (!user.trader().get(open).page(PlacedOrder.class).items().isEmpty()
                || !RecordedEvents.of(stream).equals(RecordedEvents.of(stack, user.name()))) {
            if (Instant.now().isAfter(deadline)) {
                wrong.add("%s: the stream shows %s events, the database %s"
                        .formatted(
                                user.name(),
                                RecordedEvents.of(stream).size(),
                                RecordedEvents.of(stack, user.name()).size()));
                break;
            }
            Thread.sleep(PAUSE);
        }
        events += RecordedEvents.of(stream).size();
    }

    boolean isGood() {
        return wrong.isEmpty() && kills > 0 && connects() > USERS;
    }

    private int connects() {
        return streams.stream().mapToInt(StreamClient::connects).sum();
    }

    void print() {
        ResultTable.note(
                "%d replicas, %d kills, %d orders: %d events at %d streams over %d connections, each once and in"
                        + " order: %s",
                REPLICAS, kills, orders, events, USERS, connects(), wrong.isEmpty() ? "yes" : "NO");
        wrong.forEach(one -> ResultTable.note("%s", one));
    }
}
