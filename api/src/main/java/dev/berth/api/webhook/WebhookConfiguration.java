package dev.berth.api.webhook;

import dev.berth.activities.broker.CredentialEnvelope;
import dev.berth.activities.webhook.HttpWebhookDelivery;
import dev.berth.activities.webhook.WebhookBacklog;
import dev.berth.activities.webhook.WebhookStore;
import dev.berth.api.BerthSettings;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/** Where webhooks are kept, and who sends. */
@Configuration
class WebhookConfiguration {
    @Bean
    WebhookStore webhookStore(JdbcTemplate postgres) {
        return new WebhookStore(postgres);
    }

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
