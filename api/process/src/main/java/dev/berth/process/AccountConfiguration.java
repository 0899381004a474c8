package dev.berth.process;

import dev.berth.activities.broker.AccountStore;
import dev.berth.activities.broker.CredentialEnvelope;
import dev.berth.activities.broker.FileWrappingKey;
import dev.berth.activities.broker.KmsWrappingKey;
import dev.berth.activities.broker.StoredCredentials;
import dev.berth.activities.broker.WrappingKey;
import dev.berth.process.settings.BerthSettings;
import java.nio.file.Path;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import software.amazon.awssdk.services.kms.KmsClient;

/** Adapters for accounts and their credentials. */
@Configuration
class AccountConfiguration {
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
