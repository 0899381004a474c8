package dev.berth.api.fleet;

import dev.berth.activities.order.OrdersInAttention;
import dev.berth.api.Roles;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/** Both kinds are counted apart: while PostgreSQL is away, Temporal still tells of the workers. */
@Configuration
@Conditional(Roles.Orchestrator.class)
class AttentionMetrics {
    @Bean
    AttentionCount ordersThatWait(OrdersInAttention orders, MeterRegistry meters, InstantSource clock) {
        return new AttentionCount(Attention.Kind.ORDER, orders::count, meters, clock);
    }

    @Bean
    AttentionCount workersThatWait(FleetIndex index, MeterRegistry meters, InstantSource clock) {
        return new AttentionCount(Attention.Kind.WORKER, index::crashLooping, meters, clock);
    }
}
