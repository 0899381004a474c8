package dev.berth.host.broker.venueid;

import dev.berth.workflows.VenueClientOrderId;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The tag of an order: six letters and digits, as many as the shortest field of the brokers has
 * that give one back (Shioaji's {@code custom_field}). Two orders may have the same one.
 */
final class OrderTag {
    private static final int LENGTH = 6;
    /** Letters and digits. */
    private static final int RADIX = 36;

    private OrderTag() {}

    /** The same for each attempt. */
    static String of(VenueClientOrderId id) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest(id.toString().getBytes(StandardCharsets.UTF_8));
            String digits = new BigInteger(1, hash).toString(RADIX);
            return digits.substring(digits.length() - LENGTH);
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException(missing);
        }
    }
}
