package dev.berth.activities.broker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.temporal.broker.CredentialSeal;
import dev.berth.temporal.broker.OpenedCredentials;
import dev.berth.workflows.Json;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.SealedCredentials;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Credentials in clear, by the names of their fields. They print as an empty text and have no
 * property that JSON could write, so that they reach no log, answer or history by accident. The
 * texts are not wiped: they came as Strings out of a request, and a copy that is wiped would only
 * pretend that the first one is gone.
 */
public final class PlainCredentials {
    private static final String KEY_ID = "keyId";
    private static final String SECRET = "secret";
    private static final int SHOWN = 4;

    private final Map<String, String> fields;

    /** @param fields as the broker's schema has checked them */
    public PlainCredentials(Map<String, String> fields) {
        this.fields = Map.copyOf(fields);
    }

    /** Of a broker that takes a key. */
    public static PlainCredentials of(String keyId, String secret) {
        return new PlainCredentials(Map.of(KEY_ID, keyId, SECRET, secret));
    }

    /** Id of the key at the broker; private, but no secret. Empty when the broker has none. */
    public String keyId() {
        return fields.getOrDefault(KEY_ID, "");
    }

    /** The caller must not log or store it. Empty when the broker has none. */
    public String secret() {
        return fields.getOrDefault(SECRET, "");
    }

    /**
     * The last characters of a key id, by which its owner knows it; a short one is hidden whole.
     */
    public String maskedKeyId() {
        String keyId = keyId();
        return keyId.length() < 2 * SHOWN ? "****" : "****" + keyId.substring(keyId.length() - SHOWN);
    }

    /** Sealed to a worker's public key. */
    SealedCredentials seal(UserId userId, AccountKey account, long version, String publicKey) {
        return CredentialSeal.seal(userId, version, publicKey, new OpenedCredentials(account, fields));
    }

    /** To be encrypted, and wiped by {@link #wipe}. */
    byte[] plaintext() {
        return Json.write(fields).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Reads what {@link #plaintext} wrote.
     *
     * @throws IllegalArgumentException when it is something else; neither message nor cause repeats
     *     it
     */
    static PlainCredentials read(byte[] plaintext) {
        JsonNode tree;
        try {
            tree = Json.tree(new String(plaintext, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException noJson) {
            throw unreadable();
        }
        Map<String, String> fields = new LinkedHashMap<>();
        tree.properties().forEach(field -> {
            if (!field.getValue().isTextual()) {
                throw unreadable();
            }
            fields.put(field.getKey(), field.getValue().textValue());
        });
        if (!tree.isObject()) {
            throw unreadable();
        }
        return new PlainCredentials(fields);
    }

    private static IllegalArgumentException unreadable() {
        return new IllegalArgumentException("what was stored are no credentials");
    }

    static void wipe(byte[] plaintext) {
        Arrays.fill(plaintext, (byte) 0);
    }

    @Override
    public String toString() {
        return "";
    }
}
