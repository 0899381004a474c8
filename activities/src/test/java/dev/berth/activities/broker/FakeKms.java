package dev.berth.activities.broker;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.kms.KmsClient;
import software.amazon.awssdk.services.kms.model.DecryptRequest;
import software.amazon.awssdk.services.kms.model.DecryptResponse;
import software.amazon.awssdk.services.kms.model.GenerateDataKeyRequest;
import software.amazon.awssdk.services.kms.model.GenerateDataKeyResponse;
import software.amazon.awssdk.services.kms.model.InvalidCiphertextException;

/**
 * KMS with one key: it keeps what it made and gives it back for the same context alone, as KMS
 * does.
 */
public final class FakeKms implements KmsClient {
    private record Wrapped(SdkBytes key, Map<String, String> context) {}

    /** What each call named. */
    final List<Map<String, String>> contexts = new ArrayList<>();

    private final Map<SdkBytes, Wrapped> made = new HashMap<>();
    private final String arn;

    public FakeKms(String arn) {
        this.arn = arn;
    }

    @Override
    public GenerateDataKeyResponse generateDataKey(GenerateDataKeyRequest request) {
        contexts.add(request.encryptionContext());
        SdkBytes key = random(request.numberOfBytes());
        SdkBytes wrapped = random(64);
        made.put(wrapped, new Wrapped(key, request.encryptionContext()));
        return GenerateDataKeyResponse.builder()
                .keyId(arn)
                .plaintext(key)
                .ciphertextBlob(wrapped)
                .build();
    }

    @Override
    public DecryptResponse decrypt(DecryptRequest request) {
        contexts.add(request.encryptionContext());
        Wrapped wrapped = made.get(request.ciphertextBlob());
        if (wrapped == null || !wrapped.context().equals(request.encryptionContext())) {
            throw InvalidCiphertextException.builder().message("no").build();
        }
        return DecryptResponse.builder().keyId(arn).plaintext(wrapped.key()).build();
    }

    private static SdkBytes random(int bytes) {
        byte[] random = new byte[bytes];
        new SecureRandom().nextBytes(random);
        return SdkBytes.fromByteArray(random);
    }

    @Override
    public String serviceName() {
        return SERVICE_NAME;
    }

    @Override
    public void close() {}
}
