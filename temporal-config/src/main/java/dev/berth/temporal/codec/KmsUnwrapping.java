package dev.berth.temporal.codec;

import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.kms.KmsClient;

/**
 * Opens master keys that AWS KMS has wrapped. Its key policy says who may, and CloudTrail records
 * each use.
 */
final class KmsUnwrapping implements UnaryOperator<byte[]> {
    /** The encryption context of a key that {@code generate-data-key-without-plaintext} made. */
    static final Map<String, String> CONTEXT = Map.of("purpose", "berth-codec");

    private final Supplier<KmsClient> clients;

    /** @param clients called for each key that has to be opened, which is seldom */
    KmsUnwrapping(Supplier<KmsClient> clients) {
        this.clients = clients;
    }

    /** The AWS SDK reads endpoint, region and credentials from its own settings. */
    static byte[] bySdk(byte[] wrapped) {
        return new KmsUnwrapping(KmsClient::create).apply(wrapped);
    }

    @Override
    public byte[] apply(byte[] wrapped) {
        try (KmsClient kms = clients.get()) {
            return kms.decrypt(request -> request.ciphertextBlob(SdkBytes.fromByteArray(wrapped))
                            .encryptionContext(CONTEXT))
                    .plaintext()
                    .asByteArray();
        } catch (SdkException refused) {
            throw new IllegalArgumentException("KMS does not open a master key: " + refused.getMessage(), refused);
        }
    }
}
