package dev.berth.api;

import dev.berth.activities.broker.FileWrappingKey;
import dev.berth.activities.broker.KmsWrappingKey;
import dev.berth.activities.broker.WrappingKey;
import java.nio.file.Path;
import software.amazon.awssdk.services.kms.KmsClient;

/** Chooses the key of stored credentials by what is set. */
final class WrappingKeys {
    private WrappingKeys() {}

    static WrappingKey of(BerthSettings.Accounts settings) {
        Path file = settings.keyFile();
        String arn = settings.kmsKey();
        if (file != null) {
            return new FileWrappingKey(file);
        } else if (arn != null) {
            // Endpoint, region and credentials come from the AWS SDK's own settings.
            return new KmsWrappingKey(arn, KmsClient.create());
        }
        throw new IllegalStateException("the settings allow exactly one key");
    }
}
