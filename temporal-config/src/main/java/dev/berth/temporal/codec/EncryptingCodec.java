package dev.berth.temporal.codec;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.temporal.api.common.v1.Payload;
import io.temporal.common.converter.DataConverterException;
import io.temporal.payload.codec.PayloadCodec;
import io.temporal.payload.context.HasWorkflowSerializationContext;
import io.temporal.payload.context.SerializationContext;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts each payload with AES-256-GCM under the key of the workflow's user. The key's id is in
 * the metadata and authenticated. Plain payloads, such as those of older histories, pass.
 */
public final class EncryptingCodec implements PayloadCodec {
    static final String ENCODING = "encoding";
    static final String KEY_ID = "encryption-key-id";
    static final ByteString ENCRYPTED = ByteString.copyFromUtf8("binary/encrypted");

    private static final String CIPHER = "encryption-cipher";
    private static final ByteString AES_256_GCM = ByteString.copyFromUtf8("AES-256-GCM");
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final PayloadKeys keys;
    /** Absent without a context: then every owner's payloads may be read. */
    private final @Nullable KeyOwner owner;

    /** Without an owner until there is a context; what is written is the fleet's. */
    public EncryptingCodec(PayloadKeys keys) {
        this(keys, null);
    }

    EncryptingCodec(PayloadKeys keys, @Nullable KeyOwner owner) {
        this.keys = keys;
        this.owner = owner;
    }

    @Override
    public PayloadCodec withContext(SerializationContext context) {
        return context instanceof HasWorkflowSerializationContext workflow
                ? new EncryptingCodec(keys, KeyOwner.ofWorkflow(workflow.getWorkflowId()))
                : this;
    }

    @Override
    public List<Payload> encode(List<Payload> payloads) {
        PayloadKey key = keys.current(owner == null ? KeyOwner.FLEET : owner);
        return payloads.stream().map(payload -> encrypt(payload, key)).toList();
    }

    @Override
    public List<Payload> decode(List<Payload> payloads) {
        return payloads.stream().map(this::decode).toList();
    }

    private Payload decode(Payload payload) {
        return isEncrypted(payload) ? decrypt(payload) : payload;
    }

    /** Whether a payload needs a key to be read. */
    public static boolean isEncrypted(Payload payload) {
        return ENCRYPTED.equals(payload.getMetadataMap().get(ENCODING));
    }

    /** Whose key encrypted a payload; empty for a plain one, and for one that names no key. */
    public static Optional<KeyOwner> owner(Payload payload) {
        try {
            return isEncrypted(payload) ? Optional.of(keyId(payload).owner()) : Optional.empty();
        } catch (IllegalArgumentException foreign) {
            return Optional.empty();
        }
    }

    private static PayloadKeyId keyId(Payload payload) {
        return PayloadKeyId.parse(
                payload.getMetadataOrDefault(KEY_ID, ByteString.EMPTY).toStringUtf8());
    }

    private static Payload encrypt(Payload payload, PayloadKey key) {
        byte[] nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        try {
            Cipher cipher = cipher(Cipher.ENCRYPT_MODE, key, nonce);
            byte[] sealed = cipher.doFinal(payload.toByteArray());
            return Payload.newBuilder()
                    .putMetadata(ENCODING, ENCRYPTED)
                    .putMetadata(CIPHER, AES_256_GCM)
                    .putMetadata(KEY_ID, ByteString.copyFromUtf8(key.id().toString()))
                    .setData(ByteString.copyFrom(nonce).concat(ByteString.copyFrom(sealed)))
                    .build();
        } catch (GeneralSecurityException everyJdkHasIt) {
            throw new IllegalStateException(everyJdkHasIt);
        }
    }

    private Payload decrypt(Payload payload) {
        PayloadKeyId id = readable(payload);
        PayloadKey key = keys.find(id);
        byte[] data = payload.getData().toByteArray();
        if (data.length <= NONCE_BYTES) {
            throw new DataConverterException("an encrypted payload is cut short");
        }
        try {
            byte[] nonce = payload.getData().substring(0, NONCE_BYTES).toByteArray();
            Cipher cipher = cipher(Cipher.DECRYPT_MODE, key, nonce);
            return Payload.parseFrom(cipher.doFinal(data, NONCE_BYTES, data.length - NONCE_BYTES));
        } catch (GeneralSecurityException | InvalidProtocolBufferException changed) {
            throw new DataConverterException("a payload of key " + id + " was changed", changed);
        }
    }

    /** What a worker says has its user's key, so it passes for nothing of another user. */
    private PayloadKeyId readable(Payload payload) {
        PayloadKeyId id;
        try {
            id = keyId(payload);
        } catch (IllegalArgumentException foreign) {
            throw new DataConverterException("an encrypted payload names no key", foreign);
        }
        boolean ownersOwn = owner == null
                || owner.equals(KeyOwner.FLEET)
                || id.owner().equals(owner)
                || id.owner().equals(KeyOwner.FLEET);
        if (!ownersOwn) {
            throw new DataConverterException("a payload of " + id.owner() + " is in a workflow of " + owner);
        }
        return id;
    }

    private static Cipher cipher(int mode, PayloadKey key, byte[] nonce) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key.key(), new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(key.id().toString().getBytes(StandardCharsets.UTF_8));
        return cipher;
    }
}
