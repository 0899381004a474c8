package dev.berth.process;

import dev.berth.activities.broker.CredentialEnvelope;
import dev.berth.activities.order.ActiveOrders;
import dev.berth.activities.order.OrderReadModel;
import dev.berth.activities.order.OrdersInAttention;
import dev.berth.activities.risk.RiskStore;
import dev.berth.activities.risk.SuspensionStore;
import dev.berth.activities.webhook.HttpWebhookDelivery;
import dev.berth.activities.webhook.WebhookStore;
import dev.berth.activities.worker.PostgresFleetSwitches;
import dev.berth.activities.worker.SuspensionSignals;
import dev.berth.process.settings.BerthSettings;
import dev.berth.temporal.client.LifecycleWorkflowClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What several roles read and write in PostgreSQL and Redis. */
@Configuration
class StoreConfiguration {
    @Bean
    OrderReadModel orderReadModel(JdbcTemplate postgres) {
        return new OrderReadModel(postgres);
    }

    @Bean
    OrdersInAttention ordersInAttention(JdbcTemplate postgres) {
        return new OrdersInAttention(postgres);
    }

    @Bean
    ActiveOrders activeOrders(StatefulRedisConnection<String, String> redis) {
        return new ActiveOrders(redis.sync());
    }

    @Bean
    RiskStore riskStore(JdbcTemplate postgres, PlatformTransactionManager transactions) {
        return new RiskStore(postgres, new TransactionTemplate(transactions));
    }

    @Bean
    SuspensionStore suspensions(JdbcTemplate postgres, PlatformTransactionManager transactions) {
        return new SuspensionStore(postgres, new TransactionTemplate(transactions));
    }

    @Bean
    PostgresFleetSwitches fleetSwitches(SuspensionStore suspensions) {
        return new PostgresFleetSwitches(suspensions);
    }

    @Bean
    SuspensionSignals suspensionSignals(SuspensionStore suspensions, LifecycleWorkflowClient lifecycles) {
        return new SuspensionSignals(suspensions, lifecycles);
    }

    @Bean
    WebhookStore webhookStore(JdbcTemplate postgres) {
        return new WebhookStore(postgres);
    }

    /** REST tries a new webhook out with it. */
    @Bean
    HttpWebhookDelivery webhookDelivery(
            WebhookStore store, CredentialEnvelope envelope, BerthSettings settings, InstantSource clock) {
        return new HttpWebhookDelivery(store, envelope, settings.webhooks().allowPrivate(), clock);
    }
}
