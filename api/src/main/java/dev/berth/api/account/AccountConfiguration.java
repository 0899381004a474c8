package dev.berth.api.account;

import dev.berth.activities.broker.AccountStore;
import dev.berth.activities.broker.CredentialEnvelope;
import dev.berth.activities.broker.FileWrappingKey;
import dev.berth.activities.broker.KmsWrappingKey;
import dev.berth.activities.broker.StoredCredentials;
import dev.berth.activities.broker.WrappingKey;
import dev.berth.activities.webhook.WebhookStore;
import dev.berth.api.BerthSettings;
import dev.berth.api.Role;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import software.amazon.awssdk.services.kms.KmsClient;

/** Adapters for accounts and their credentials. */
@Configuration
class AccountConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(AccountConfiguration.class);

    @Bean
    AccountStore accountStore(JdbcTemplate postgres, BerthSettings settings) {
        return new AccountStore(postgres, settings.accounts().paperDefault());
    }

    /** An unusable key file fails the start. An unreachable KMS does not, since it may recover. */
    @Bean
    CredentialEnvelope credentialEnvelope(BerthSettings settings) {
        return new CredentialEnvelope(wrappingKey(settings.accounts()));
    }

    @Bean
    StoredCredentials accountCredentials(AccountStore accounts, CredentialEnvelope envelope, BerthSettings settings) {
        return new StoredCredentials(accounts, envelope, settings.orders().live());
    }

    @Bean
    SmartInitializingSingleton keyCheck(
            StoredCredentials credentials,
            AccountStore accounts,
            WebhookStore webhooks,
            CredentialEnvelope envelope,
            BerthSettings settings) {
        return () -> {
            // The API only wraps: its key in KMS opens nothing.
            if (settings.roles().contains(Role.ORCHESTRATOR)) {
                Thread.ofVirtual().name("accounts-key").start(() -> tryOpen(credentials, accounts, webhooks, envelope));
            }
        };
    }

    private static void tryOpen(
            StoredCredentials credentials, AccountStore accounts, WebhookStore webhooks, CredentialEnvelope envelope) {
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

    private static WrappingKey wrappingKey(BerthSettings.AccountSettings settings) {
        Path file = settings.keyFile();
        String arn = settings.kmsKey();
        if (file != null) {
            return new FileWrappingKey(file);
        } else if (arn != null) {
            // The AWS SDK reads endpoint, region and credentials from its own settings.
            return new KmsWrappingKey(arn, KmsClient.create());
        }
        throw new IllegalStateException("the settings allow exactly one key");
    }
}
