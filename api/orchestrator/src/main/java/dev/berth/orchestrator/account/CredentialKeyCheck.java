package dev.berth.orchestrator.account;

import dev.berth.activities.broker.AccountStore;
import dev.berth.activities.broker.CredentialEnvelope;
import dev.berth.activities.broker.StoredCredentials;
import dev.berth.activities.webhook.WebhookStore;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.stereotype.Component;

/**
 * Opens stored credentials once at the start, so that a key that opens nothing is seen in the log
 * before a user needs it. REST does not: its key in KMS only wraps.
 */
@Component
class CredentialKeyCheck implements SmartInitializingSingleton {
    private static final Logger LOG = LoggerFactory.getLogger(CredentialKeyCheck.class);

    private final StoredCredentials credentials;
    private final AccountStore accounts;
    private final WebhookStore webhooks;
    private final CredentialEnvelope envelope;

    CredentialKeyCheck(
            StoredCredentials credentials, AccountStore accounts, WebhookStore webhooks, CredentialEnvelope envelope) {
        this.credentials = credentials;
        this.accounts = accounts;
        this.webhooks = webhooks;
        this.envelope = envelope;
    }

    @Override
    public void afterSingletonsInstantiated() {
        Thread.ofVirtual().name("accounts-key").start(this::tryOpen);
    }

    private void tryOpen() {
        try {
            credentials.tryOut();
            if (envelope.hasEarlierKeys()) {
                envelope.renewAll(Stream.concat(accounts.ciphertexts().stream(), webhooks.ciphertexts().stream())
                        .toList());
            }
        } catch (RuntimeException unavailable) {
            LOG.warn("stored credentials cannot be opened now: {}", unavailable.getMessage());
        }
    }
}
