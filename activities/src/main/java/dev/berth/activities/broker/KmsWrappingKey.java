package dev.berth.activities.broker;

import java.util.regex.Pattern;
import software.amazon.awssdk.services.kms.KmsClient;
import software.amazon.cryptography.materialproviders.IKeyring;
import software.amazon.cryptography.materialproviders.MaterialProviders;
import software.amazon.cryptography.materialproviders.model.CreateAwsKmsKeyringInput;

/**
 * A key that never leaves AWS KMS. The key policy grants decryption, and CloudTrail records every
 * use.
 *
 * @param arn of the key; an alias could be moved to a key that does not open what is stored
 */
public record KmsWrappingKey(String arn, KmsClient kms) implements WrappingKey {
    private static final Pattern ARN = Pattern.compile("arn:aws[a-z-]*:kms:[a-z0-9-]+:\\d{12}:key/[A-Za-z0-9-]+");

    public KmsWrappingKey {
        if (!ARN.matcher(arn).matches()) {
            throw new IllegalArgumentException("berth.accounts.kms-key is the ARN of a KMS key, such as"
                    + " arn:aws:kms:eu-west-1:111122223333:key/1234abcd-…, not " + arn);
        }
    }

    @Override
    public IKeyring keyring(MaterialProviders providers) {
        return providers.CreateAwsKmsKeyring(
                CreateAwsKmsKeyringInput.builder().kmsKeyId(arn).kmsClient(kms).build());
    }
}
