package dev.berth.gateway;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A key that all gateways share, so that any of them checks what another one signed. */
public final class GatewayKey {
    private static final String HMAC = "HmacSHA256";
    private static final int BYTES = 32;

    private final SecretKeySpec key;

    /**
     * Takes the key as it is.
     *
     * @param secret 32 random bytes
     */
    public GatewayKey(byte[] secret) {
        if (secret.length != BYTES) {
            throw new IllegalArgumentException("The gateway's key has " + secret.length + " bytes, not " + BYTES + ".");
        }
        key = new SecretKeySpec(secret, HMAC);
    }

    /**
     * The code of these parts, in that order, for one purpose.
     *
     * @return 32 bytes
     */
    byte[] sign(String purpose, byte[]... parts) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(key);
            update(mac, purpose.getBytes(StandardCharsets.UTF_8));
            for (byte[] part : parts) {
                update(mac, part);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException everyJdkHasIt) {
            throw new IllegalStateException(everyJdkHasIt);
        }
    }

    /** With its length, so that no two lists of parts look the same. */
    private static void update(Mac mac, byte[] part) {
        mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).array());
        mac.update(part);
    }

    @Override
    public String toString() {
        return "GatewayKey";
    }
}
