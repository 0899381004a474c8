package dev.berth.orchestrator.webhook;

import dev.berth.activities.broker.CredentialEnvelope;
import dev.berth.activities.webhook.HttpWebhookDelivery;
import dev.berth.activities.webhook.WebhookBacklog;
import dev.berth.activities.webhook.WebhookStore;
import dev.berth.process.settings.BerthSettings;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/** Which webhooks wait, and who sends. */
@Configuration
class WebhookConfiguration {
    @Bean
    WebhookBacklog webhookBacklog(JdbcTemplate postgres) {
        return new WebhookBacklog(postgres);
    }

    @Bean
    HttpWebhookDelivery webhookDelivery(
            WebhookStore store, CredentialEnvelope envelope, BerthSettings settings, InstantSource clock) {
        return new HttpWebhookDelivery(store, envelope, settings.webhooks().allowPrivate(), clock);
    }
}
