package dev.berth.orchestrator.metrics;

import dev.berth.workflows.order.OrderStatus;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.temporal.client.WorkflowClient;
import io.temporal.serviceclient.MetricsTag;
import java.util.Map;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Counters that workflow code increments, at zero from the start on: otherwise an alarm on the
 * increase would miss the first event.
 */
@Configuration
class WorkflowCounters {
    @Bean
    MeterBinder countersAtZero(WorkflowClient temporal) {
        Map<String, String> tags = MetricsTag.defaultTags(temporal.getOptions().getNamespace());
        return meters -> {
            zero(meters, "berth_claims_void", tags);
            zero(meters, "berth_claims_workers_retired", tags);
            for (String result : new String[] {"opened", "refused", "failed"}) {
                zero(meters, "berth_sessions", tags, "broker", "none", "result", result);
            }
            for (OrderStatus status : OrderStatus.values()) {
                if (status.isFinal()) {
                    zero(meters, "berth_orders_final", tags, "status", status.name());
                }
            }
        };
    }

    private static void zero(MeterRegistry meters, String name, Map<String, String> tags, String... more) {
        Tags all = Tags.of(more);
        for (Map.Entry<String, String> tag : tags.entrySet()) {
            all = all.and(tag.getKey(), tag.getValue());
        }
        meters.counter(name, all.and(MetricsTag.WORKER_TYPE, MetricsTag.DEFAULT_VALUE));
    }
}
