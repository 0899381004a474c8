package dev.berth.rest.webhook;

import dev.berth.activities.webhook.HttpWebhookDelivery;
import dev.berth.activities.webhook.WebhookStore;
import dev.berth.process.settings.BerthSettings;
import dev.berth.rest.audit.RequestAudit;
import dev.berth.workflows.webhook.WebhookOwner;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The operators' webhooks, which are told of the whole fleet. */
@RestController
@RequestMapping("/v1/fleet/webhooks")
@Tag(name = "fleet")
class FleetWebhookController extends WebhookEndpoints {
    FleetWebhookController(
            WebhookStore store, HttpWebhookDelivery delivery, BerthSettings settings, RequestAudit audit) {
        super(store, delivery, settings, audit);
    }

    @Override
    WebhookOwner owner(Jwt token) {
        return WebhookOwner.FLEET;
    }
}
