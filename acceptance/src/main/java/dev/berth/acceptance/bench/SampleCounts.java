package dev.berth.acceptance.bench;

import java.time.Duration;
import java.util.List;

/**
 * The size of a measurement.
 *
 * @param starts starts of workers, of either origin
 * @param orders orders of one user
 * @param rounds under load, each beside one of the baseline
 * @param kills kills that ECS reports
 * @param silentKills kills without an event
 * @param fleet simultaneous workers
 * @param idle the time in which they are watched
 * @param orchestratorKills kills during starts and stops
 * @param switches uses of the kill switch
 * @param flood simultaneous orders
 * @param gatewayKills kills of one of several gateways
 * @param streams how long replicas are killed under streams
 * @param readers users whose accounts are read
 * @param simulated idle workers as stubs
 * @param sweep fleet sizes
 */
record SampleCounts(
        int starts,
        int orders,
        int rounds,
        int kills,
        int silentKills,
        int fleet,
        Duration idle,
        int orchestratorKills,
        int switches,
        int flood,
        int gatewayKills,
        Duration streams,
        int readers,
        int simulated,
        List<Integer> sweep) {
    static final SampleCounts QUICK = new SampleCounts(
            10,
            200,
            5,
            5,
            2,
            4,
            Duration.ofSeconds(15),
            3,
            3,
            1_500,
            3,
            Duration.ofMinutes(1),
            40,
            2_000,
            List.of(1_000, 10_000));
    static final SampleCounts FULL = new SampleCounts(
            50,
            200,
            5,
            100,
            10,
            30,
            Duration.ofMinutes(1),
            20,
            20,
            5_000,
            30,
            Duration.ofMinutes(10),
            200,
            10_000,
            List.of(1_000, 10_000, 100_000));
}
