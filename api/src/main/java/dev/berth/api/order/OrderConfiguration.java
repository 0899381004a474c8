package dev.berth.api.order;

import dev.berth.activities.order.EventSearch;
import dev.berth.activities.order.OrderReadModel;
import dev.berth.activities.order.OrdersInAttention;
import dev.berth.activities.order.PostgresOrderRecords;
import dev.berth.activities.order.TracedOrderRecords;
import dev.berth.activities.order.UserEventLog;
import dev.berth.temporal.client.OrderIndex;
import dev.berth.temporal.client.OrderWorkflowClient;
import dev.berth.temporal.tracing.SpanExport;
import io.lettuce.core.api.StatefulRedisConnection;
import io.temporal.client.WorkflowClient;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Adapters for orders. */
@Configuration
class OrderConfiguration {
    @Bean
    OrderReadModel orderReadModel(JdbcTemplate postgres) {
        return new OrderReadModel(postgres);
    }

    @Bean
    EventSearch eventSearch(JdbcTemplate postgres) {
        return new EventSearch(postgres);
    }

    @Bean
    UserEventLog userEventLog(JdbcTemplate postgres, PlatformTransactionManager transactions) {
        return new UserEventLog(postgres, new TransactionTemplate(transactions));
    }

    @Bean
    OrdersInAttention ordersInAttention(JdbcTemplate postgres) {
        return new OrdersInAttention(postgres);
    }

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
    OrderIndex orderIndex(WorkflowClient temporal) {
        return new OrderIndex(temporal);
    }

    @Bean
    OrderWorkflowClient orderWorkflowClient(WorkflowClient temporal) {
        return new OrderWorkflowClient(temporal);
    }
}
