package dev.berth.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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
            // Whole or not at all: an empty key would be refused at every later start.
            Path part = Files.createTempFile(keyFile.toAbsolutePath().getParent(), "token", ".part", ownerOnly);
            Files.write(part, key);
            Files.move(part, keyFile, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /**
     * Signs a token.
     *
     * @param subject of any form, as identity providers have it
     * @param scope of the token, as words
     * @param validFor negative for an expired token
     */
    public static String sign(Path keyFile, String subject, String scope, Duration validFor) throws IOException {
        Instant now = Instant.now();
        String claims = ApiJson.object()
                .put("iss", "berth-local")
                .put("aud", "berth")
                .put("sub", subject)
                .put("scope", scope)
                .put("iat", now.getEpochSecond())
                .put("exp", now.plus(validFor).getEpochSecond())
                .toString();
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
