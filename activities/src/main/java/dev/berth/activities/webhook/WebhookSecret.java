package dev.berth.activities.webhook;

import com.standardwebhooks.exceptions.WebhookSigningException;
import java.security.SecureRandom;
import java.util.Base64;

/** A signing secret as Standard Webhooks has it: {@code whsec_} and Base64 of 24 to 64 bytes. */
public final class WebhookSecret {
    private static final String PREFIX = "whsec_";
    private static final int MADE_BYTES = 32;
    private static final int MIN_BYTES = 24;
    private static final int MAX_BYTES = 64;

    private final byte[] key;

    /** @throws IllegalArgumentException when it has another form; the message does not repeat it */
    public WebhookSecret(String text) {
        String encoded = text.startsWith(PREFIX) ? text.substring(PREFIX.length()) : "";
        try {
            this.key = Base64.getDecoder().decode(encoded);
        } catch (IllegalArgumentException noBase64) {
            throw new IllegalArgumentException(
                    "secret is whsec_ and Base64 of 24 to 64 bytes; leave it out to get one.");
        }
        if (key.length < MIN_BYTES || key.length > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "secret is whsec_ and Base64 of 24 to 64 bytes; leave it out to get one.");
        }
    }

    /** A new one, as its text. */
    public static String random() {
        byte[] bytes = new byte[MADE_BYTES];
        new SecureRandom().nextBytes(bytes);
        return PREFIX + Base64.getEncoder().encodeToString(bytes);
    }

    /** The value of the header {@code webhook-signature}. */
    String sign(String messageId, long epochSeconds, String body) {
        try {
            return new com.standardwebhooks.Webhook(key).sign(messageId, epochSeconds, body);
        } catch (WebhookSigningException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public String toString() {
        return "";
    }
}
