package dev.berth.temporal.codec;

import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.function.UnaryOperator;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * A master key of a key file. Prints as its id.
 *
 * @param from when it begins to encrypt
 * @param id the first hex digits of its hash: equal in every process that has the key
 */
record MasterKey(Instant from, String id, SecretKey key) implements Comparable<MasterKey> {
    static final String FORM = "A line is a time and 32 random bytes as Base64:"
            + " echo \"$(date -u +%FT%TZ) $(head -c 32 /dev/urandom | base64)\"";

    /** Stands before what AWS KMS made of a key. */
    private static final String WRAPPED = "kms:";

    private static final int BYTES = 32;
    private static final int ID_BYTES = 4;

    /**
     * Reads a line.
     *
     * @param unwrap opens a key that is not there in clear
     * @throws IllegalArgumentException when it is none; the message does not repeat the line
     */
    static MasterKey parse(String line, Path file, UnaryOperator<byte[]> unwrap) {
        String[] words = line.strip().split(" +", -1);
        String word = words[words.length - 1];
        boolean isWrapped = word.startsWith(WRAPPED);
        byte[] key;
        @Nullable Instant from;
        try {
            key = Base64.getDecoder().decode(isWrapped ? word.substring(WRAPPED.length()) : word);
            from = words.length == 2 ? Instant.parse(words[0]) : null;
        } catch (IllegalArgumentException | DateTimeException noKey) {
            // Below, without the cause, which may repeat the key.
            key = new byte[0];
            from = null;
        }
        if (from != null) {
            byte[] opened = isWrapped ? unwrap.apply(key) : key;
            if (opened.length == BYTES) {
                return new MasterKey(from, id(opened), new SecretKeySpec(opened, "Generic"));
            }
        }
        throw new IllegalArgumentException("The key file " + file + " has a line that is no key. " + FORM);
    }

    private static String id(byte[] key) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(key);
            return HexFormat.of().formatHex(hash, 0, ID_BYTES);
        } catch (NoSuchAlgorithmException everyJdkHasIt) {
            throw new IllegalStateException(everyJdkHasIt);
        }
    }

    @Override
    public int compareTo(MasterKey other) {
        return from.compareTo(other.from);
    }

    @Override
    public String toString() {
        return id;
    }
}
