package dev.berth.process;

import dev.berth.activities.account.AccountFills;
import dev.berth.activities.account.AccountReadModel;
import dev.berth.activities.account.AccountStatements;
import dev.berth.activities.account.ReportedAccounts;
import dev.berth.activities.broker.CredentialEnvelope;
import dev.berth.activities.order.ActiveOrders;
import dev.berth.activities.order.OpenOrders;
import dev.berth.activities.order.OrderReadModel;
import dev.berth.activities.order.OrdersInAttention;
import dev.berth.activities.risk.MassCancelStore;
import dev.berth.activities.risk.RiskStore;
import dev.berth.activities.risk.SuspensionStore;
import dev.berth.activities.webhook.HttpWebhookDelivery;
import dev.berth.activities.webhook.WebhookStore;
import dev.berth.activities.worker.PostgresFleetSwitches;
import dev.berth.activities.worker.SuspensionSignals;
import dev.berth.process.settings.BerthSettings;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** What several roles read and write in PostgreSQL and Redis. */
@Configuration
@Import({
    OrderReadModel.class,
    OrdersInAttention.class,
    ActiveOrders.class,
    OpenOrders.class,
    RiskStore.class,
    SuspensionStore.class,
    SuspensionSignals.class,
    WebhookStore.class,
    AccountReadModel.class,
    ReportedAccounts.class,
    AccountFills.class,
    AccountStatements.class
})
class StoreConfiguration {
    @Bean
    PostgresFleetSwitches fleetSwitches(SuspensionStore suspensions) {
        return new PostgresFleetSwitches(suspensions);
    }

    @Bean
    MassCancelStore massCancelStore(JdbcTemplate postgres, TransactionTemplate changes, BerthSettings settings) {
        return new MassCancelStore(postgres, changes, settings.orders().dispatchWithinMax());
    }

    /** REST tries a new webhook out with it. */
    @Bean
    HttpWebhookDelivery webhookDelivery(
            WebhookStore store, CredentialEnvelope envelope, BerthSettings settings, InstantSource clock) {
        return new HttpWebhookDelivery(store, envelope, settings.webhooks().allowPrivate(), clock);
    }
}
