package dev.berth.acceptance.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.pool.ClaimMessages;
import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.stack.ApiReplica;
import dev.berth.acceptance.stack.EcsApi;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Processes;
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.TemporalCli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A fault for each alarm, on a stack with these settings.
 *
 * @param stack with {@link #SETTINGS}
 * @param replica another process, with the role {@code api} alone
 * @param folder for files
 */
record AlarmFaults(Stack stack, ApiReplica replica, Path folder) {
    static final Map<String, String> SETTINGS = Map.of(
            "BERTH_POOL_MINIMUM", "2",
            "BERTH_POOL_TARGET", "3",
            "BERTH_POOL_CALENDAR_CEILING", "3",
            "BERTH_SWEEP_EVERY", "PT10S",
            "BERTH_ADMISSION_MAX_ACTIVE", "10",
            "BERTH_WEBHOOKS_FIRST_RETRY", "PT1S",
            "BERTH_WEBHOOKS_GIVE_UP_AFTER", "PT10S");

    private static final String POOL = "{\"minimum\":2,\"target\":3,\"maximumLifetime\":\"PT12H\"}";
    private static final int IDLE = 3;
    private static final int HOSTS = 2;

    /** The faults of a list are made one after the other, and last until all their alarms fire. */
    List<List<AlarmFault>> inTurn() throws IOException {
        UserAlarmFaults users = new UserAlarmFaults(stack);
        return List.of(
                List.of(endingCalendar()),
                List.of(endingWorkers()),
                List.of(
                        new AlarmFault(
                                "kill switch on",
                                List.of("BerthKillSwitchOn"),
                                () -> operator().killSwitch("user:drill-switch", true),
                                () -> operator().killSwitch("user:drill-switch", false)),
                        users.hostileCall(),
                        users.refusedCredentials(),
                        users.webhookDown(),
                        users.busyAccount(),
                        AlarmFault.brief(
                                "a forged copy of the switches in Redis",
                                List.of("BerthForeignRiskCopies"),
                                this::forgeCopy),
                        users.terminatedOrder(),
                        users.crashLoop(),
                        users.workflowStartedByHand(),
                        frozenPool()),
                List.of(noRoom(), users.waitingOrders(), pausedSweeps()),
                List.of(
                        AlarmFault.brief(
                                "starts that had to wait for room", List.of("BerthColdStartsSlow"), this::awaitStarts),
                        new AlarmFault(
                                "PostgreSQL stands still",
                                List.of("BerthDatabaseSlow", "BerthMetricsOutdated"),
                                () -> stack.process("postgres").freeze(),
                                () -> stack.process("postgres").thaw()),
                        new AlarmFault(
                                "gateway killed; a claim waits",
                                List.of("BerthProcessDown", "BerthQueueWaits"),
                                this::killGateway,
                                this::startAgain)),
                List.of(new AlarmFault(
                        "orchestrator killed; an API runs on",
                        List.of("BerthProcessDown", "BerthTaskQueueUnpolled", "BerthTaskQueueWaits"),
                        this::killOrchestrator,
                        this::startAgain)));
    }

    private FleetOperator operator() throws IOException {
        return FleetOperator.of(stack);
    }

    private void startAgain() throws Exception {
        stack.berth("up");
    }

    /**
     * Waits for as many as the pool keeps, and returns their task ids. After launches that failed
     * the pool tries again in a minute, first with one.
     */
    private List<String> idlePool() {
        List<String> idle = new ArrayList<>();
        await().atMost(Eventually.POOL_FILLS.multipliedBy(2)).untilAsserted(() -> {
            idle.clear();
            idle.addAll(RedisKeyspace.of(stack).idlePoolWorkers());
            assertThat(idle).hasSizeGreaterThanOrEqualTo(IDLE);
        });
        return idle;
    }

    /** The JVM refuses an option of a file, until the file has another. */
    private AlarmFault endingWorkers() {
        Path options = folder.resolve("jvm-options");
        return new AlarmFault(
                "the workers' program ends at once",
                List.of("BerthLaunchCircuitOpen"),
                () -> {
                    List<String> idle = idlePool();
                    Files.writeString(options, "-XX:NoSuchOption");
                    EcsApi ecs = EcsApi.of(stack);
                    ecs.define("JDK_JAVA_OPTIONS", "@" + options);
                    for (String task : idle) {
                        ecs.stop(task);
                    }
                },
                () -> {
                    Files.writeString(options, "-Dberth.drill=over");
                    // The faults after it need workers.
                    idlePool();
                });
    }

    private AlarmFault endingCalendar() {
        return new AlarmFault(
                "a calendar ends in 9 days",
                List.of("BerthCalendarEnds"),
                () -> {
                    Files.writeString(folder.resolve("XDRL.txt"), """
                            exchange XDRL
                            zone UTC
                            days MONDAY TUESDAY WEDNESDAY THURSDAY FRIDAY
                            session 09:30 16:00
                            first 2026-01-01
                            last %s
                            """.formatted(
                                    LocalDate.now(ZoneOffset.UTC).plusDays(9)));
                    stack.process("api").end();
                    stack.with(Map.of(
                                    "BERTH_POOL_CALENDAR_EXCHANGES",
                                    "XDRL",
                                    "BERTH_POOL_CALENDAR_FOLDER",
                                    folder.toString()))
                            .berth("up");
                },
                () -> {
                    stack.process("api").end();
                    startAgain();
                });
    }

    private void forgeCopy() throws IOException {
        RedisKeyspace redis = RedisKeyspace.of(stack);
        redis.set(Map.of("fleet:loaded", "999999999999 da39a3ee5e6b4b0d3255bfef95601890afd80709"));
        redis.delete("kill-switch");
    }

    private AlarmFault frozenPool() {
        List<Long> pool = new ArrayList<>();
        return new AlarmFault(
                "the pool's processes stand still",
                List.of("BerthClaimsVoid"),
                () -> {
                    for (String task : idlePool()) {
                        pool.add(Processes.ofTask(task));
                        Processes.signal(pool.getLast(), "STOP");
                    }
                    for (int number = 0; number < IDLE; number++) {
                        stack.trader("drill-silent-" + number).post("/v1/worker");
                    }
                },
                () -> {
                    for (long pid : pool) {
                        Processes.signalIfAlive(pid, "CONT");
                    }
                });
    }

    private AlarmFault noRoom() {
        return new AlarmFault(
                "no host",
                List.of("BerthNoRoom", "BerthRoomLow", "BerthPoolBelowMinimum"),
                () -> Eventually.emptyPool(stack),
                () -> {
                    EcsApi.of(stack).hosts(HOSTS);
                    new TemporalCli(stack)
                            .workflow("signal", "--workflow-id", "pool", "--name", "resize", "--input", POOL);
                });
    }

    /** The next faults must not keep the orders from their workers. */
    private void awaitStarts() {
        await().atMost(Eventually.POOL_FILLS)
                .until(() -> RedisKeyspace.of(stack).sorted("orders:active").isEmpty());
    }

    private AlarmFault pausedSweeps() {
        return new AlarmFault(
                "the schedule of sweeps is paused",
                List.of("BerthSweepOutdated"),
                () -> toggleSweeps("--pause"),
                () -> toggleSweeps("--unpause"));
    }

    private void toggleSweeps(String how) throws Exception {
        new TemporalCli(stack).schedule("toggle", "--schedule-id", "maintenance", how, "--reason", "a drill");
    }

    /** And what would start it again. */
    private void killGateway() throws Exception {
        stack.process("gateway-watch").kill();
        stack.process("gateway").kill();
        ClaimMessages.of(stack).send(stack.trader("drill-stray"), 1, "no-such-task");
    }

    /** A user who needs a worker leaves work for the orchestrator. */
    private void killOrchestrator() throws Exception {
        stack.process("api").kill();
        replica.of(stack.trader("drill-left"))
                .submit(OrderBody.market("left", "AAPL", "buy", "1")
                        .within(UserAlarmFaults.WITHIN)
                        .json());
    }
}
