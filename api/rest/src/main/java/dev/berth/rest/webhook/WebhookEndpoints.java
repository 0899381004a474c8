package dev.berth.rest.webhook;

import dev.berth.activities.webhook.HttpWebhookDelivery;
import dev.berth.activities.webhook.Webhook;
import dev.berth.activities.webhook.WebhookSecret;
import dev.berth.activities.webhook.WebhookStore;
import dev.berth.process.settings.BerthSettings;
import dev.berth.process.settings.WebhookOptions;
import dev.berth.rest.CostlyCommand;
import dev.berth.rest.MessageCommand;
import dev.berth.rest.Problem;
import dev.berth.rest.audit.AuditAction;
import dev.berth.rest.audit.RequestAudit;
import dev.berth.rest.openapi.OperationResponses;
import dev.berth.workflows.webhook.WebhookOwner;
import io.swagger.v3.oas.annotations.Operation;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;

/** The webhooks of one owner. */
abstract class WebhookEndpoints {
    private static final int MAX_WEBHOOKS = 10;
    private static final int MAX_MESSAGES = 500;

    private final WebhookStore store;
    private final HttpWebhookDelivery delivery;
    private final WebhookOptions settings;
    private final RequestAudit audit;

    WebhookEndpoints(WebhookStore store, HttpWebhookDelivery delivery, BerthSettings settings, RequestAudit audit) {
        this.store = store;
        this.delivery = delivery;
        this.settings = settings.webhooks();
        this.audit = audit;
    }

    /** Whose webhooks a caller's are. */
    abstract WebhookOwner owner(Jwt token);

    @GetMapping
    @Operation(summary = "Webhooks", description = "By name. Secrets are never shown.")
    WebhookView.All list(@AuthenticationPrincipal Jwt token) {
        return new WebhookView.All(
                store.list(owner(token)).stream().map(WebhookView::read).toList());
    }

    @GetMapping("/{name}")
    @OperationResponses(problems = Problem.NOT_FOUND)
    @Operation(summary = "One webhook")
    WebhookView get(@AuthenticationPrincipal Jwt token, @PathVariable String name) {
        return WebhookView.read(existing(owner(token), name));
    }

    @PutMapping("/{name}")
    @CostlyCommand
    @OperationResponses(problems = Problem.INVALID_WEBHOOK)
    @Operation(
            summary = "Store a webhook",
            description = "200 with its secret, which cannot be read again. Messages are signed as Standard Webhooks"
                    + " says. At most " + MAX_WEBHOOKS + ".")
    WebhookView put(@AuthenticationPrincipal Jwt token, @PathVariable String name, @RequestBody WebhookView.New body) {
        WebhookOwner owner = owner(token);
        Webhook webhook;
        String secret = body.secret() == null ? WebhookSecret.random() : body.secret();
        try {
            webhook = body.of(owner, name);
            var _ = new WebhookSecret(secret);
        } catch (IllegalArgumentException invalid) {
            throw Problem.INVALID_WEBHOOK.because(String.valueOf(invalid.getMessage()));
        }
        if (!settings.allowPrivate() && !"https".equals(webhook.url().getScheme())) {
            throw Problem.INVALID_WEBHOOK.because("url is an https address without user or fragment.");
        }
        if (store.find(owner, name).isEmpty() && store.list(owner).size() >= MAX_WEBHOOKS) {
            throw Problem.INVALID_WEBHOOK.because("There are " + MAX_WEBHOOKS + " webhooks. Delete one first.");
        }
        String ciphertext = delivery.encrypted(owner, name, secret);
        return audit.change(
                token,
                AuditAction.STORE_WEBHOOK,
                owner.user().orElse(null),
                name + " to " + webhook.url().getHost(),
                () -> {
                    store.put(webhook, ciphertext);
                    return WebhookView.stored(webhook, secret);
                });
    }

    @DeleteMapping("/{name}")
    @CostlyCommand
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @OperationResponses(status = HttpStatus.NO_CONTENT)
    @Operation(summary = "Remove a webhook and its undelivered messages", description = "204, also without one.")
    void delete(@AuthenticationPrincipal Jwt token, @PathVariable String name) {
        WebhookOwner owner = owner(token);
        audit.change(
                token, AuditAction.REMOVE_WEBHOOK, owner.user().orElse(null), name, () -> store.remove(owner, name));
    }

    @PostMapping("/{name}:test")
    @MessageCommand
    @OperationResponses(problems = Problem.NOT_FOUND)
    @Operation(summary = "Send a test message", description = "Delivered and retried as every other.")
    WebhookView.Test test(@AuthenticationPrincipal Jwt token, @PathVariable String name) {
        WebhookOwner owner = owner(token);
        return new WebhookView.Test(store.addTest(owner, existing(owner, name).name()));
    }

    @GetMapping("/{name}/messages")
    @OperationResponses(problems = Problem.NOT_FOUND)
    @Operation(summary = "Undelivered messages", description = "Oldest first, at most " + MAX_MESSAGES + ".")
    WebhookView.Messages messages(@AuthenticationPrincipal Jwt token, @PathVariable String name) {
        WebhookOwner owner = owner(token);
        return new WebhookView.Messages(
                store.undelivered(owner, existing(owner, name).name(), MAX_MESSAGES).stream()
                        .map(WebhookView.Undelivered::of)
                        .toList());
    }

    @PostMapping("/{name}:redeliver")
    @CostlyCommand
    @OperationResponses(problems = Problem.NOT_FOUND)
    @Operation(summary = "Send the given-up messages again", description = "Each for as long as a new one.")
    WebhookView.Redelivery redeliver(@AuthenticationPrincipal Jwt token, @PathVariable String name) {
        WebhookOwner owner = owner(token);
        return new WebhookView.Redelivery(
                store.redeliver(owner, existing(owner, name).name()));
    }

    private Webhook existing(WebhookOwner owner, String name) {
        return store.find(owner, name)
                .orElseThrow(() ->
                        Problem.NOT_FOUND.because("There is no webhook of this name. GET the list for their names."));
    }
}
