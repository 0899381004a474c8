package dev.berth.orchestrator.webhook;

import dev.berth.activities.webhook.WebhookBacklog;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/** Which messages of webhooks wait. */
@Configuration
class WebhookConfiguration {
    @Bean
    WebhookBacklog webhookBacklog(JdbcTemplate postgres) {
        return new WebhookBacklog(postgres);
    }
}
