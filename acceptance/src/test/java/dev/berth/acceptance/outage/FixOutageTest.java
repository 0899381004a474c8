package dev.berth.acceptance.outage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.bench.OnCallOperator;
import dev.berth.acceptance.bench.OrderAudit;
import dev.berth.acceptance.bench.OrderFlow;
import dev.berth.acceptance.bench.TradingUsers;
import dev.berth.acceptance.rest.LocalAccount;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.EcsApi;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.LocalProcess;
import dev.berth.acceptance.stack.Processes;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.VenueLog;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ten users trade over FIX while their workers are killed or frozen, or the gateway is killed. */
@Tag("long")
@Order(1)
@ExtendWith(StackExtension.class)
class FixOutageTest {
    private static final Logger LOG = LoggerFactory.getLogger(FixOutageTest.class);
    private static final int KILLS = 100;
    private static final int GATEWAY_KILLS = 5;
    /** At once; the other users go on. */
    private static final int FROZEN = 3;

    private static final Duration BACK = Duration.ofMinutes(2);
    /**
     * The heartbeat key expires after 30 s and the lease 28 s later; a young Redis adds a minute.
     */
    private static final Duration FENCED = Duration.ofMinutes(3);

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Stack stack;
    private final VenueLog venue;
    private final OrderAudit audit;
    private final List<Long> frozen = new ArrayList<>();

    FixOutageTest(Stack stack) {
        this.stack = stack;
        this.venue = VenueLog.of(stack);
        this.audit = new OrderAudit(stack);
    }

    @AfterEach
    void reset() throws Exception {
        EcsApi.of(stack).faults("{}");
        for (long pid : frozen) {
            Processes.signalIfAlive(pid, "KILL");
        }
        EcsApi.of(stack).stopAgain();
        stack.berth("up");
    }

    private interface Fault {
        void inject(TradingUsers crew) throws Exception;
    }

    /** Some orders rest, are replaced or canceled, or have a short deadline. */
    private void trade(Fault fault) throws Exception {
        try (OnCallOperator operator = OnCallOperator.begin(stack)) {
            TradingUsers crew = new TradingUsers(stack, new Random(), List.of(LocalAccount.FIX), true);
            try (crew) {
                fault.inject(crew);
            }
            audit.check(crew.all(), List.of());
            audit.print();
            LOG.warn("{}", operator);
            LOG.warn("{}", audit.report());
            assertThat(audit.wrong()).isEmpty();
            assertThat(audit.ended("FILLED")).isPositive();
            assertThat(audit.ended("CANCELED")).isPositive();
            for (OrderFlow flow : crew.all()) {
                requireSameNumbers(flow.user().trader());
            }
        }
    }

    private static String keyId(Trader trader) {
        return LocalAccount.FIX.keyId(trader.user());
    }

    private static Trader trader(OrderFlow flow) {
        return flow.user().trader();
    }

    private VenueLog.FixSession session(Trader trader) throws Exception {
        return venue.fixSessions().stream()
                .filter(session -> session.account().equals(keyId(trader)))
                .findFirst()
                .orElseThrow(() -> new AssertionError(trader.user() + " never logged on"));
    }

    /** Over a session that works: the next number of each side is what the other one expects. */
    private void requireSameNumbers(Trader trader) throws Exception {
        OrderBody last = OrderBody.market("last", "AAPL", "buy", "1").with(LocalAccount.FIX);
        trader.submit(last, 60);
        Eventually.order(trader, "last", "FILLED", BACK);
        await().atMost(TIMEOUT).untilAsserted(() -> {
            VenueLog.FixSession there = session(trader);
            assertThat(there.connected()).isTrue();
            assertThat(journal(trader)).isEqualTo(List.of(there.nextTarget(), there.nextSender()));
        });
        // Numbers that had begun anew would be lower: each order has one.
        long orders = venue.arrivals().stream()
                .filter(arrival -> keyId(trader).equals(arrival.account()))
                .count();
        assertThat((long) session(trader).nextTarget()).as(trader.user()).isGreaterThan(orders);
    }

    /** The number of the next message to send, and of the next one to receive. */
    private List<Integer> journal(Trader trader) throws Exception {
        try (Connection postgres = stack.openPostgres();
                PreparedStatement query = postgres.prepareStatement(
                        "SELECT next_sender, next_target FROM fix_sessions WHERE user_id = ? AND account = ?")) {
            query.setString(1, trader.user());
            query.setString(2, LocalAccount.FIX.key());
            try (ResultSet row = query.executeQuery()) {
                assertThat(row.next()).as(trader.user()).isTrue();
                return List.of(row.getInt(1), row.getInt(2));
            }
        }
    }

    @Test
    @Tag("Y5")
    @Tag("Y7")
    @DisplayName(
            "A hundred workers that are killed while orders flow over FIX lose none, double none, and keep the numbers")
    void killedWorkersDoubleNothing() throws Exception {
        trade(crew -> {
            Map<String, Long> killed = new HashMap<>();
            for (int kill = 0; kill < KILLS; kill++) {
                OrderFlow victim = crew.user(kill % TradingUsers.SIZE);
                Trader trader = trader(victim);
                long epoch = killed.getOrDefault(trader.user(), 0L);
                Worker worker = Eventually.activeWorker(trader, epoch + 1, BACK);
                victim.countDeath();
                Processes.signalIfAlive(worker.pid(), "KILL");
                killed.put(trader.user(), worker.epoch());
            }
        });
    }

    @Test
    @Tag("Y5")
    @DisplayName("Workers that are frozen at once, and thawed beside their successors, write nothing and do not log on")
    void thawedWorkersWriteNothing() throws Exception {
        trade(crew -> {
            awaitArrivals(crew.all(), Instant.now());
            EcsApi.of(stack).faults("{\"ignoreStop\":true}");
            List<Served> former = new ArrayList<>();
            for (OrderFlow flow : crew.all().subList(0, FROZEN)) {
                former.add(new Served(trader(flow), trader(flow).worker()));
            }
            for (Served served : former) {
                frozen.add(served.worker().pid());
                Processes.signal(served.worker().pid(), "STOP");
            }
            for (Served served : former) {
                Eventually.successor(served.trader(), served.worker(), FENCED);
                await().atMost(BACK).until(() -> session(served.trader()).connected());
            }
            Map<String, Integer> logons = logons(former);
            Instant thawed = Instant.now();
            for (long pid : frozen) {
                Processes.signal(pid, "CONT");
            }
            for (long pid : frozen) {
                Eventually.ended(pid, TIMEOUT);
            }
            assertThat(logons(former)).isEqualTo(logons);
            awaitArrivals(crew.all(), Instant.now());
            for (Served served : former) {
                assertThat(venue.arrivals())
                        .filteredOn(arrival -> keyId(served.trader()).equals(arrival.account())
                                && arrival.time().isAfter(thawed))
                        .isNotEmpty()
                        .allSatisfy(arrival -> assertThat(arrival.epoch())
                                .isGreaterThan(served.worker().epoch()));
            }
        });
    }

    private record Served(Trader trader, Worker worker) {}

    private Map<String, Integer> logons(List<Served> all) throws Exception {
        Map<String, Integer> logons = new HashMap<>();
        for (Served served : all) {
            logons.put(keyId(served.trader()), session(served.trader()).logons());
        }
        return logons;
    }

    @Test
    @Tag("Y5")
    @DisplayName("Orders flow over FIX again after each kill of the gateway; none is lost, none sent twice")
    void killedGatewayDoublesNothing() throws Exception {
        trade(crew -> {
            LocalProcess gateway = stack.process("gateway");
            for (int kill = 0; kill < GATEWAY_KILLS; kill++) {
                awaitArrivals(crew.all(), Instant.now());
                gateway.kill();
            }
            awaitArrivals(crew.all(), Instant.now());
        });
    }

    /** Waits until an order of each user has reached the venue after that time. */
    private void awaitArrivals(List<OrderFlow> flows, Instant since) {
        Set<String> expected = flows.stream().map(flow -> keyId(trader(flow))).collect(Collectors.toSet());
        await().atMost(BACK)
                .untilAsserted(() -> assertThat(venue.arrivals().stream()
                                .filter(arrival -> arrival.time().isAfter(since))
                                .map(VenueLog.Arrival::account)
                                .collect(Collectors.toSet()))
                        .containsAll(expected));
    }
}
