package dev.berth.acceptance.bench;

import java.time.Duration;
import java.util.List;

/**
 * How much is measured.
 *
 * @param starts of workers, of either origin
 * @param orders of one user
 * @param kills of workers whose end ECS tells
 * @param silentKills of workers of whose end nobody tells
 * @param fleet workers at once
 * @param idle how long they are watched
 * @param orchestratorKills in the midst of starts and stops
 * @param switches how often the kill switch is thrown
 * @param flood orders at once
 * @param sweep sizes of fleets
 */
record Counts(
        int starts,
        int orders,
        int kills,
        int silentKills,
        int fleet,
        Duration idle,
        int orchestratorKills,
        int switches,
        int flood,
        List<Integer> sweep) {
    static final Counts QUICK =
            new Counts(10, 200, 5, 2, 4, Duration.ofSeconds(15), 3, 3, 1_500, List.of(1_000, 10_000));
    static final Counts FULL =
            new Counts(50, 200, 100, 10, 30, Duration.ofMinutes(1), 20, 20, 5_000, List.of(1_000, 10_000, 100_000));
}
