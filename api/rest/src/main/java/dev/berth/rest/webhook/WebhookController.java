package dev.berth.rest.webhook;

import dev.berth.activities.webhook.HttpWebhookDelivery;
import dev.berth.activities.webhook.WebhookStore;
import dev.berth.process.settings.BerthSettings;
import dev.berth.rest.CallerId;
import dev.berth.rest.audit.RequestAudit;
import dev.berth.workflows.webhook.WebhookOwner;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** A user's own webhooks, which are told of the user's orders. */
@RestController
@RequestMapping("/v1/webhooks")
@Tag(name = "webhooks")
class WebhookController extends WebhookEndpoints {
    WebhookController(WebhookStore store, HttpWebhookDelivery delivery, BerthSettings settings, RequestAudit audit) {
        super(store, delivery, settings, audit);
    }

    @Override
    WebhookOwner owner(Jwt token) {
        return WebhookOwner.of(CallerId.of(token));
    }
}
