package dev.berth.rest.pool;

import dev.berth.process.settings.BerthSettings;
import dev.berth.process.settings.PoolOptions;
import dev.berth.workflows.pool.PoolPlanner;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Shows what the pool plans. */
@RestController
@RequestMapping("/v1/fleet/pool")
@Tag(name = "fleet")
class PoolPlanController {
    private static final Duration COMING_DAY = Duration.ofDays(1);

    private final PoolPlanner planner;
    private final PoolOptions options;
    private final InstantSource clock;

    PoolPlanController(PoolPlanner planner, BerthSettings settings, InstantSource clock) {
        this.planner = planner;
        this.options = settings.pool();
        this.clock = clock;
    }

    @GetMapping("/plan")
    @Operation(
            summary = "The size of the warm pool in the next 24 hours",
            description = "Idle workers by the calendars of exchanges and the demand of the session before, each step"
                    + " with its reason. Without an exchange the pool always has its target.")
    PoolPlanView plan() {
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        return new PoolPlanView(
                options.target(),
                planner.calendars().stream()
                        .map(calendar -> PoolPlanView.Exchange.of(calendar, now))
                        .toList(),
                planner.steps(now, now.plus(COMING_DAY), options.target()).stream()
                        .map(PoolPlanView.Step::of)
                        .toList());
    }
}
