package dev.berth.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Bearer tokens of the local stack: JWTs that a key of this machine signs. */
public final class LocalToken {
    /** What a user's own programs do: read, trade, store credentials. */
    public static final String TRADER = "orders:read orders:trade accounts:write";

    private static final int KEY_BYTES = 32;
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    private LocalToken() {}

    /** Creates the key, readable by its owner only. Idempotent. */
    public static void makeKey(Path keyFile) throws IOException {
        if (!Files.exists(keyFile)) {
            byte[] key = new byte[KEY_BYTES];
            new SecureRandom().nextBytes(key);
            var ownerOnly = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
            Files.createFile(keyFile, ownerOnly);
            Files.write(keyFile, key);
        }
    }

    /**
     * Signs a token.
     *
     * @param scope of the token, as words
     * @param validFor negative for an expired token
     */
    public static String sign(Path keyFile, String user, String scope, Duration validFor) throws IOException {
        Instant now = Instant.now();
        String claims =
                "{\"iss\":\"berth-local\",\"aud\":\"berth\",\"sub\":\"%s\",\"scope\":\"%s\",\"iat\":%s,\"exp\":%s}"
                        .formatted(
                                user,
                                scope,
                                now.getEpochSecond(),
                                now.plus(validFor).getEpochSecond());
        String signed = encode("{\"alg\":\"HS256\",\"typ\":\"JWT\"}".getBytes(StandardCharsets.UTF_8)) + "."
                + encode(claims.getBytes(StandardCharsets.UTF_8));
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Files.readAllBytes(keyFile), "HmacSHA256"));
            return signed + "." + encode(mac.doFinal(signed.getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException unreachable) {
            throw new IllegalStateException(unreachable);
        }
    }

    private static String encode(byte[] bytes) {
        return BASE64.encodeToString(bytes);
    }
}
