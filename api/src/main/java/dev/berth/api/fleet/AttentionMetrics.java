package dev.berth.api.fleet;

import dev.berth.activities.order.OrdersInAttention;
import dev.berth.activities.temporal.LifecycleIndex;
import dev.berth.api.Roles;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/** Counts both kinds separately, so that workers are counted while PostgreSQL is unreachable. */
@Configuration
@Conditional(Roles.Orchestrator.class)
class AttentionMetrics {
    @Bean
    AttentionCount ordersInAttentionCount(OrdersInAttention orders, MeterRegistry meters, InstantSource clock) {
        return new AttentionCount(Attention.Kind.ORDER, orders::count, meters, clock);
    }

    @Bean
    AttentionCount workersThatWait(LifecycleIndex lifecycles, MeterRegistry meters, InstantSource clock) {
        return new AttentionCount(Attention.Kind.WORKER, lifecycles::countCrashLooping, meters, clock);
    }
}
