package dev.berth.local;

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

/** Bearer tokens of the local stack: JWTs, signed with a key that only this machine has. */
public final class LocalToken {
    private static final int KEY_BYTES = 32;
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    private LocalToken() {}

    /** Makes the key, readable by its owner alone. There already: nothing happens. */
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
     * @param scope of the token; empty for a plain user
     * @param validFor negative makes one that has expired
     */
    public static String sign(Path keyFile, String user, String scope, Duration validFor) throws IOException {
        Instant now = Instant.now();
        String claims = "{\"sub\":\"%s\",\"scope\":\"%s\",\"iat\":%d,\"exp\":%d}"
                .formatted(user, scope, now.getEpochSecond(), now.plus(validFor).getEpochSecond());
        String signed = encode("{\"alg\":\"HS256\",\"typ\":\"JWT\"}".getBytes(StandardCharsets.UTF_8)) + "."
                + encode(claims.getBytes(StandardCharsets.UTF_8));
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Files.readAllBytes(keyFile), "HmacSHA256"));
            return signed + "." + encode(mac.doFinal(signed.getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException everyJdkHasIt) {
            throw new IllegalStateException(everyJdkHasIt);
        }
    }

    private static String encode(byte[] bytes) {
        return BASE64.encodeToString(bytes);
    }
}
