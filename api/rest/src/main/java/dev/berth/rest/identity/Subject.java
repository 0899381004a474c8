package dev.berth.rest.identity;

import static java.util.Objects.requireNonNull;

import dev.berth.temporal.gateway.GatewayMethods;
import dev.berth.workflows.UserId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtClaimNames;

/**
 * A person or a program, as an identity provider names it.
 *
 * @param name 1 to 255 characters of any kind, not all of them blank
 */
public record Subject(String issuer, String name) {
    private static final int MAX_LENGTH = 255;
    /** Stands between issuer and name, and in no issuer. */
    private static final byte SEPARATOR = 0;

    private static final String FLEET = "fleet";
    private static final String WARM_UP = GatewayMethods.warmUpUser("");
    private static final String BASE32 = "abcdefghijklmnopqrstuvwxyz234567";
    private static final int BITS = 5;

    public Subject {
        if (issuer.indexOf(SEPARATOR) >= 0) {
            throw new IllegalArgumentException("An issuer contains no NUL.");
        }
        if (!isName(name)) {
            throw new IllegalArgumentException(
                    "A subject is 1 to " + MAX_LENGTH + " characters of Unicode, not all of them blank.");
        }
    }

    /** Whose token it is. {@code Security} refuses one without such a subject. */
    public static Subject of(Jwt token) {
        return new Subject(
                requireNonNull(token.getClaimAsString(JwtClaimNames.ISS)), requireNonNull(token.getSubject()));
    }

    /** Half a surrogate pair has no bytes of its own in UTF-8, so it would share another's hash. */
    public static boolean isName(String text) {
        return !text.isBlank()
                && text.length() <= MAX_LENGTH
                && StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }

    /**
     * The user. A name that is a user id is that user. Any other is {@code u-} and the SHA-256 of
     * issuer, NUL and name, in lower-case base32 (RFC 4648) without padding: 54 characters. No name
     * is the user of another: one that begins with {@code u-} is always hashed. The same subject of
     * another issuer is another user, unless its name is a user id.
     *
     * @return empty for names that Berth itself uses: the fleet's, and those whose queues pool
     *     workers poll before they have a user
     */
    public Optional<UserId> userId() {
        if (isReserved()) {
            return Optional.empty();
        }
        return Optional.of(
                name.startsWith(UserId.HASHED) ? hashed() : UserId.parse(name).orElseGet(this::hashed));
    }

    private boolean isReserved() {
        return name.equals(FLEET) || name.startsWith(WARM_UP);
    }

    private UserId hashed() {
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            sha256.update(issuer.getBytes(StandardCharsets.UTF_8));
            sha256.update(SEPARATOR);
            return new UserId(UserId.HASHED + base32(sha256.digest(name.getBytes(StandardCharsets.UTF_8))));
        } catch (NoSuchAlgorithmException everyJdkHasIt) {
            throw new IllegalStateException(everyJdkHasIt);
        }
    }

    private static String base32(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        int buffer = 0;
        int bits = 0;
        for (byte next : bytes) {
            buffer = (buffer << Byte.SIZE) | Byte.toUnsignedInt(next);
            for (bits += Byte.SIZE; bits >= BITS; bits -= BITS) {
                text.append(digit(buffer >> (bits - BITS)));
            }
        }
        return bits == 0
                ? text.toString()
                : text.append(digit(buffer << (BITS - bits))).toString();
    }

    private static char digit(int value) {
        return BASE32.charAt(value & 31);
    }
}
