package dev.berth.orchestrator.metrics;

import dev.berth.activities.order.ActiveOrders;
import dev.berth.activities.order.OrdersInAttention;
import dev.berth.activities.risk.RiskStore;
import dev.berth.activities.webhook.WebhookStore;
import dev.berth.process.metrics.GaugeSampler;
import dev.berth.process.metrics.GaugeSampler.Reading;
import dev.berth.temporal.client.FailingWorkflows;
import dev.berth.temporal.client.LifecycleIndex;
import dev.berth.temporal.client.OrderIndex;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.risk.KillSwitch;
import dev.berth.workflows.worker.WorkerPhase;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Workers, orders, attention and switches. Each server has a sample of its own. */
@Configuration
class FleetMetrics {
    private static final String ATTENTION = "berth.attention";

    private final MeterRegistry meters;
    private final InstantSource clock;

    FleetMetrics(MeterRegistry meters, InstantSource clock) {
        this.meters = meters;
        this.clock = clock;
    }

    @Bean
    GaugeSampler workerSample(LifecycleIndex lifecycles) {
        return new GaugeSampler(
                "workers",
                () -> {
                    List<Reading> readings = new ArrayList<>();
                    Map<WorkerPhase, Long> counts = lifecycles.countByPhase();
                    for (WorkerPhase phase : WorkerPhase.values()) {
                        // No lifecycle is ever in these two.
                        if (phase == WorkerPhase.POOL_IDLE || phase == WorkerPhase.PROCESSING) {
                            continue;
                        }
                        readings.add(Reading.count(
                                "berth.workers", Tags.of("state", phase.name()), counts.getOrDefault(phase, 0L)));
                    }
                    readings.add(Reading.count(ATTENTION, Tags.of("kind", "worker"), lifecycles.countCrashLooping()));
                    return readings;
                },
                meters,
                clock);
    }

    @Bean
    GaugeSampler workflowSample(FailingWorkflows workflows) {
        return new GaugeSampler(
                "workflows",
                () -> List.of(Reading.count(ATTENTION, Tags.of("kind", "workflow"), workflows.count())),
                meters,
                clock);
    }

    @Bean
    GaugeSampler orderSample(OrderIndex orders) {
        return new GaugeSampler(
                "orders",
                () -> {
                    List<Reading> readings = new ArrayList<>();
                    for (OrderStatus status : OrderStatus.values()) {
                        if (!status.isFinal()) {
                            readings.add(Reading.count(
                                    "berth.orders.open", Tags.of("status", status.name()), orders.countOpen(status)));
                        }
                    }
                    return readings;
                },
                meters,
                clock);
    }

    @Bean
    GaugeSampler attentionSample(OrdersInAttention orders) {
        return new GaugeSampler(
                "attention",
                () -> List.of(Reading.count(ATTENTION, Tags.of("kind", "order"), orders.count())),
                meters,
                clock);
    }

    @Bean
    GaugeSampler webhookSample(WebhookStore webhooks) {
        return new GaugeSampler(
                "webhooks",
                () -> {
                    webhooks.removeOld();
                    return List.of(Reading.count("berth.webhooks.dead", Tags.empty(), webhooks.countDead()));
                },
                meters,
                clock);
    }

    @Bean
    GaugeSampler switchSample(RiskStore risk) {
        return new GaugeSampler(
                "switches",
                () -> {
                    List<KillSwitch> switches = risk.snapshot().switches();
                    List<Reading> readings = new ArrayList<>();
                    for (KillSwitch.Level level : KillSwitch.Level.values()) {
                        long on = switches.stream()
                                .filter(one -> one.on() && one.level() == level)
                                .count();
                        readings.add(Reading.count(
                                "berth.kill.switches",
                                Tags.of("level", level.name().toLowerCase(Locale.ROOT)),
                                on));
                    }
                    return readings;
                },
                meters,
                clock);
    }

    /** Orders without the venue's first answer: a stuck one is seen by its age. */
    @Bean
    GaugeSampler activeOrderSample(ActiveOrders active) {
        return new GaugeSampler(
                "active-orders",
                () -> {
                    Instant now = clock.instant();
                    Duration age = Duration.between(active.oldest().orElse(now), now);
                    return List.of(
                            Reading.count("berth.orders.active", Tags.empty(), active.count()),
                            Reading.time("berth.orders.active.oldest.seconds", Tags.empty(), age));
                },
                meters,
                clock);
    }
}
