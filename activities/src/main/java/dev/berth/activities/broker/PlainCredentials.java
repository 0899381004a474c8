package dev.berth.activities.broker;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.berth.temporal.broker.CredentialSeal;
import dev.berth.temporal.broker.OpenedCredentials;
import dev.berth.workflows.Json;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.SealedCredentials;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * Credentials in clear. They print as an empty text, so that they cannot reach a log by accident.
 *
 * @param keyId id of the key at the broker; private, but no secret
 */
public record PlainCredentials(String keyId, Secret secret) {
    private static final Pattern KEY_ID = Pattern.compile("[\\x21-\\x7e]{1,256}");
    private static final int SHOWN = 4;

    public PlainCredentials {
        if (!KEY_ID.matcher(keyId).matches()) {
            throw new IllegalArgumentException("keyId is 1 to 256 printable ASCII characters without spaces.");
        }
    }

    /** The form that is encrypted. */
    private record Plain(
            @JsonProperty("keyId") String keyId,
            @JsonProperty("secret") String secret) {
        @Override
        public String toString() {
            return "";
        }
    }

    /**
     * The last characters of a key id, by which its owner knows it; a short one is hidden whole.
     */
    public String maskedKeyId() {
        return keyId.length() < 2 * SHOWN ? "****" : "****" + keyId.substring(keyId.length() - SHOWN);
    }

    /** Sealed to a worker's public key. */
    SealedCredentials seal(UserId userId, AccountKey account, long version, String publicKey) {
        return CredentialSeal.seal(userId, version, publicKey, new OpenedCredentials(account, keyId, secret.reveal()));
    }

    /** To be encrypted, and wiped by {@link #wipe}. */
    byte[] plaintext() {
        return Json.write(new Plain(keyId, secret.reveal())).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Reads what {@link #plaintext} wrote.
     *
     * @throws IllegalArgumentException when it is something else; neither message nor cause repeats
     *     it
     */
    static PlainCredentials read(byte[] plaintext) {
        Plain plain;
        try {
            plain = Json.read(new String(plaintext, StandardCharsets.UTF_8), Plain.class);
        } catch (IllegalArgumentException noJson) {
            throw new IllegalArgumentException("what was stored are no credentials");
        }
        return new PlainCredentials(plain.keyId(), new Secret(plain.secret()));
    }

    static void wipe(byte[] plaintext) {
        Arrays.fill(plaintext, (byte) 0);
    }

    @Override
    public String toString() {
        return "";
    }
}
