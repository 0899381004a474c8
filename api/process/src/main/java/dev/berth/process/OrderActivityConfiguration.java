package dev.berth.process;

import dev.berth.activities.group.UserGroups;
import dev.berth.activities.order.OrderReadModel;
import dev.berth.activities.order.PostgresOrderRecords;
import dev.berth.activities.order.TracedOrderRecords;
import dev.berth.activities.worker.TemporalWorkerRequests;
import dev.berth.temporal.client.LifecycleWorkflowClient;
import dev.berth.temporal.tracing.SpanExport;
import io.lettuce.core.api.sync.RedisCommands;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** The activities of order workflows; the sweep calls them, too. */
@Configuration
class OrderActivityConfiguration {
    @Bean
    TracedOrderRecords orderRecords(
            JdbcTemplate postgres,
            TransactionTemplate transactions,
            RedisCommands<String, String> redis,
            OrderReadModel written,
            SpanExport spans) {
        return new TracedOrderRecords(new PostgresOrderRecords(postgres, transactions, redis), written, spans);
    }

    @Bean
    TemporalWorkerRequests workerRequests(
            LifecycleWorkflowClient lifecycles, RedisCommands<String, String> redis, UserGroups groups) {
        return new TemporalWorkerRequests(lifecycles, redis, groups::of);
    }
}
