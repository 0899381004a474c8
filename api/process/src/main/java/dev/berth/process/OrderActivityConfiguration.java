package dev.berth.process;

import dev.berth.activities.group.UserGroups;
import dev.berth.activities.order.OrderReadModel;
import dev.berth.activities.order.PostgresOrderRecords;
import dev.berth.activities.order.TracedOrderRecords;
import dev.berth.activities.worker.TemporalWorkerRequests;
import dev.berth.temporal.client.LifecycleWorkflowClient;
import dev.berth.temporal.tracing.SpanExport;
import io.lettuce.core.api.StatefulRedisConnection;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The activities of order workflows; the sweep calls them, too. */
@Configuration
class OrderActivityConfiguration {
    @Bean
    TracedOrderRecords orderRecords(
            JdbcTemplate postgres,
            PlatformTransactionManager transactions,
            StatefulRedisConnection<String, String> redis,
            OrderReadModel written,
            SpanExport spans) {
        return new TracedOrderRecords(
                new PostgresOrderRecords(postgres, new TransactionTemplate(transactions), redis.sync()),
                written,
                spans);
    }

    @Bean
    TemporalWorkerRequests workerRequests(
            LifecycleWorkflowClient lifecycles, StatefulRedisConnection<String, String> redis, UserGroups groups) {
        return new TemporalWorkerRequests(lifecycles, redis.sync(), groups::of);
    }
}
