package dev.berth.activities.webhook;

import dev.berth.activities.broker.CredentialEnvelope;
import dev.berth.activities.broker.PlainCredentials;
import dev.berth.workflows.FailureType;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.Environment;
import dev.berth.workflows.webhook.WebhookDelivery;
import dev.berth.workflows.webhook.WebhookMessage;
import dev.berth.workflows.webhook.WebhookOwner;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/** Signs messages as Standard Webhooks says, and sends them. */
public final class HttpWebhookDelivery implements WebhookDelivery {
    private static final Duration ATTEMPT = Duration.ofSeconds(15);
    private static final int GONE = 410;

    private final WebhookStore store;
    private final CredentialEnvelope envelope;
    private final WebhookSender sender;
    private final InstantSource clock;

    /** @param allowPrivate whether receivers may have private addresses and plain http */
    public HttpWebhookDelivery(
            WebhookStore store, CredentialEnvelope envelope, boolean allowPrivate, InstantSource clock) {
        this.store = store;
        this.envelope = envelope;
        this.sender = new WebhookSender(allowPrivate, ATTEMPT, new NameLookups(InetAddress::getAllByName));
        this.clock = clock;
    }

    /** Encrypts a secret for this owner and this webhook, as the credentials of accounts are. */
    public String encrypted(WebhookOwner owner, String webhook, String secret) {
        return envelope.encrypt(user(owner), account(owner, webhook), PlainCredentials.of("webhook", secret));
    }

    WebhookSecret secret(WebhookOwner owner, String webhook, String ciphertext) {
        return new WebhookSecret(envelope.decrypt(user(owner), account(owner, webhook), ciphertext)
                .secret());
    }

    /** The account tells the operators' secrets from those of a user with this name. */
    static UserId user(WebhookOwner owner) {
        return owner.user().orElse(new UserId("fleet"));
    }

    static AccountKey account(WebhookOwner owner, String webhook) {
        String kind = owner.equals(WebhookOwner.FLEET) ? "fleet-webhook" : "webhook";
        return new AccountKey("berth", kind, Environment.PAPER, webhook.replace('.', '_'));
    }

    @Override
    public void deliver(WebhookMessage message) {
        WebhookOwner owner = message.owner();
        Optional<WebhookStore.Message> kept = store.find(owner, message.webhook(), message.messageId());
        Optional<Webhook> webhook = store.find(owner, message.webhook());
        Optional<String> ciphertext = store.ciphertext(owner, message.webhook());
        if (kept.isEmpty() || webhook.isEmpty() || ciphertext.isEmpty()) {
            return;
        }
        WebhookSecret secret = secret(owner, message.webhook(), ciphertext.get());
        String body = WebhookBody.of(kept.get());
        long now = clock.instant().getEpochSecond();
        Map<String, String> headers = Map.of(
                "webhook-id",
                message.messageId(),
                "webhook-timestamp",
                Long.toString(now),
                "webhook-signature",
                secret.sign(message.messageId(), now, body));
        send(webhook.get(), headers, body);
        store.delivered(owner, message.webhook(), message.messageId());
    }

    private void send(Webhook webhook, Map<String, String> headers, String body) {
        int status;
        try {
            status = sender.post(webhook.owner(), webhook.url(), headers, body);
        } catch (IOException unanswered) {
            throw FailureType.WEBHOOK_NOT_ANSWERED.failure("The receiver did not answer: " + unanswered.getMessage());
        }
        if (status == GONE) {
            throw FailureType.WEBHOOK_GONE.failure("The receiver answered 410: it wants no more");
        }
        if (status < 200 || status > 299) {
            throw FailureType.WEBHOOK_NOT_ANSWERED.failure("The receiver answered " + status);
        }
    }

    @Override
    public void giveUp(WebhookMessage message, String reason) {
        store.dead(message.owner(), message.webhook(), message.messageId(), reason);
    }
}
